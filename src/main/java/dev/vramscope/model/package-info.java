/**
 * What is known about the memory of one process's GPUs: immutable facts, without a clock, I/O or
 * HTML.
 *
 * <p>The nouns and their laws:
 *
 * <ul>
 *   <li>A {@link dev.vramscope.model.Snapshot} is a state, with the {@link
 *       dev.vramscope.model.Trace} of events that led to it, one of each per device.
 *   <li>A {@link dev.vramscope.model.Segment} is contiguous device memory; its {@link
 *       dev.vramscope.model.Block}s tile it in address order, without gaps.
 *   <li>Block sizes are <em>allocated</em> bytes (rounded up); a trace event of an allocation
 *       carries <em>requested</em> bytes. They are never mixed.
 *   <li>A trace is in event order, oldest first. It may begin in the middle of the program's life
 *       (the recording was a ring, or began late), so a free may have no allocation before it.
 *   <li>Frames are interned and stacks are nodes of a prefix tree ({@link
 *       dev.vramscope.model.StackTable}): a stack id is a small number, 0 when none was recorded.
 *   <li>Addresses are unsigned 64-bit numbers in a {@code long}. Absent numbers have a named
 *       constant, never 0.
 *   <li>A survivable loss is a {@link dev.vramscope.model.Finding}, with its count.
 * </ul>
 */
@NullMarked
package dev.vramscope.model;

import org.jspecify.annotations.NullMarked;
