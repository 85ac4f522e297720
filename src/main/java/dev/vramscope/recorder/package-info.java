/**
 * The history of hosted allocators: events, and the contexts they happened in.
 *
 * <ul>
 *   <li>A <b>context</b> says what a thread was doing: a path of <b>scopes</b> that the program
 *       opened, a Java call stack, or both, scopes at the root. It is a node of one {@link
 *       dev.vramscope.recorder.ContextTree}, so it is a small number.
 *   <li>A <b>history</b> is the last N events of one allocator, each with its context, and the
 *       contexts of what is alive. A full history overwrites its oldest event and counts it; it
 *       never blocks and makes no garbage.
 *   <li>A call stack is taken on the caller's thread before the allocator's lock, by {@link
 *       dev.vramscope.recorder.RecordedAllocator}; under the lock only numbers are written.
 *   <li>A snapshot is exact: its trace ends with the event that led to its segments.
 * </ul>
 *
 * <p>All of it is bounded. What a full table could not take is counted and becomes a finding of the
 * snapshot.
 */
@NullMarked
package dev.vramscope.recorder;

import org.jspecify.annotations.NullMarked;
