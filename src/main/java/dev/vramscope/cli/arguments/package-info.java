/** What a command accepts: its description, which is its help, and the arguments of a call. */
@NullMarked
package dev.vramscope.cli.arguments;

import org.jspecify.annotations.NullMarked;
