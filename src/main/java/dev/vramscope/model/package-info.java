/**
 * The memory of one process's GPUs as recorded in a snapshot: immutable data, without a clock, I/O
 * or HTML.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>A {@link dev.vramscope.model.Snapshot} has, for each device, a state and the {@link
 *       dev.vramscope.model.Trace} of events that led to it.
 *   <li>A {@link dev.vramscope.model.Segment} is contiguous device memory; its {@link
 *       dev.vramscope.model.Block}s tile it in address order, without gaps.
 *   <li>Block sizes are <em>allocated</em> bytes (rounded up); a trace event of an allocation has
 *       <em>requested</em> bytes. The two are never mixed.
 *   <li>A trace is in event order, oldest first. It may begin while the program is already running
 *       (the recording was a ring buffer, or started late), so a free may have no allocation before
 *       it.
 *   <li>Frames are interned and stacks are nodes of a prefix tree ({@link
 *       dev.vramscope.model.StackTable}): a stack id is a small number, 0 if none was recorded.
 *   <li>Addresses are unsigned 64-bit numbers in a {@code long}. Unknown numbers have a named
 *       constant, never 0.
 *   <li>Texts are those of the file: they may contain control characters and halves of surrogate
 *       pairs. {@link dev.vramscope.model.VisibleText} makes them safe to show.
 *   <li>Data that is lost or contradictory, without making the snapshot unusable, is reported as a
 *       {@link dev.vramscope.model.finding.Finding} with its count.
 * </ul>
 */
@NullMarked
package dev.vramscope.model;

import org.jspecify.annotations.NullMarked;
