/**
 * What a program needs at values of a parameter, such as batch 512, for which it was not compiled:
 * from two or more programs of one function at other values.
 *
 * <p>A {@link dev.vramscope.compiled.scaling.SizedProgram} is a program with its value. Bytes are
 * those of the memory of the device; other memory spaces are left out. Each {@link
 * dev.vramscope.compiled.AllocationUse} has a {@link dev.vramscope.compiled.scaling.UseTrend},
 * which gives the stated bytes at the values of the programs, and elsewhere an {@link
 * dev.vramscope.compiled.scaling.ByteEstimate}: never more than that, since the compiler may fuse
 * and pack otherwise at another value. Bytes of uses add up to those of the program.
 */
@NullMarked
package dev.vramscope.compiled.scaling;

import org.jspecify.annotations.NullMarked;
