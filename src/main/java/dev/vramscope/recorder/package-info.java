/**
 * The history of hosted allocators: their events, and the contexts in which they happened.
 *
 * <ul>
 *   <li>A <b>context</b> describes where in the program an event happened: a path of <b>scopes</b>
 *       that the program opened, a Java call stack, or both, with the scopes at the root. It is a
 *       node of one {@link dev.vramscope.recorder.ContextTree}, so it is a small number.
 *   <li>A <b>history</b> is the last N events of one allocator, each with its context, and the
 *       contexts of live blocks and segments. A full history overwrites its oldest event and counts
 *       it; recording never blocks and allocates no memory.
 *   <li>{@link dev.vramscope.recorder.RecordedAllocator} captures a call stack in the caller's
 *       thread before the allocator's lock is acquired; under the lock only numbers are written.
 *   <li>A snapshot is exact: its trace ends with the last event before its segments were captured.
 * </ul>
 *
 * <p>All tables are bounded. The entries that a full table drops are counted and become a finding
 * of the snapshot.
 */
@NullMarked
package dev.vramscope.recorder;

import org.jspecify.annotations.NullMarked;
