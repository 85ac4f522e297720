/**
 * The commands of the program. They are in the same jar as the service and start no Spring context;
 * only what reports a failed start of the service uses Spring.
 *
 * <p>A command prints its results to standard output and errors to standard error. The exit code is
 * 0 on success, 1 if a check failed or the input is malformed, and 2 if the arguments are invalid.
 */
@NullMarked
package dev.vramscope.cli;

import org.jspecify.annotations.NullMarked;
