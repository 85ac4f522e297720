/**
 * The log of the service: an entry is one line, followed by the lines of its stack trace. Names and
 * messages in it come from files and clients, and can neither end the line nor control a terminal.
 */
@NullMarked
package dev.vramscope.cli.log;

import org.jspecify.annotations.NullMarked;
