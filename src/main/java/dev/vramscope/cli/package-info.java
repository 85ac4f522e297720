/**
 * The command line: a command per verb, in the same jar as the service, started without Spring.
 *
 * <p>A command prints its answer on standard output and what went wrong on standard error. It ends
 * with 0 if all is well, 1 if what was checked did not hold or what it read makes no sense, 2 if it
 * was called wrongly.
 */
@NullMarked
package dev.vramscope.cli;

import org.jspecify.annotations.NullMarked;
