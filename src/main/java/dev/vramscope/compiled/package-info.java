/**
 * A program that XLA compiled: what its memory is used for, decided before it runs.
 *
 * <p>An <em>allocation</em> is memory that the program needs from its beginning to its end. A
 * <em>buffer</em> is a value of the program, at an offset in one allocation; buffers whose live
 * ranges do not overlap share bytes. A <em>position</em> is a number in the order of the program.
 * Bytes of allocations add up to the memory of the program; bytes of buffers do not.
 */
@NullMarked
package dev.vramscope.compiled;

import org.jspecify.annotations.NullMarked;
