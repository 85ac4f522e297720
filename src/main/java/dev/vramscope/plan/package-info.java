/**
 * What a program needs at sizes that were never run: two or more recordings of it at small sizes
 * are aligned, the bytes of each allocation are fitted, and the fitted run is replayed.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>A {@link dev.vramscope.plan.SizedRecording} is a recording with the values of the program's
 *       parameters, such as batch 2 and length 512. All recordings of a plan have the same
 *       parameters, and no two have the same values.
 *   <li>Operations are those of {@link dev.vramscope.whatif.RecordedRun}. An {@link
 *       dev.vramscope.plan.Alignment} pairs operations of two recordings in order; an operation has
 *       at most one partner.
 *   <li>The recording nearest to the asked values is the template: its sequence of operations is
 *       the one that is replayed, with other sizes.
 *   <li>A {@link dev.vramscope.plan.SizeLaw} gives the requested bytes of an allocation for any
 *       values. How it was found is its {@link dev.vramscope.plan.SizeLaw.Basis}; a law that more
 *       recordings confirm than it has terms is checked.
 * </ul>
 */
@NullMarked
package dev.vramscope.plan;

import org.jspecify.annotations.NullMarked;
