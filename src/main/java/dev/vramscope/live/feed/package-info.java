/**
 * The live view of a hosted allocator in browsers.
 *
 * <pre>
 *   allocator ─ under its lock ─▶ FeedListener ─▶ FeedRing ─▶ AllocatorReplica ─▶ FrameWriter ─▶ Viewer, Viewer …
 *               nanoseconds       numbers        bounded     one thread per feed               one thread each
 * </pre>
 *
 * <ul>
 *   <li>The <b>ring</b> stores every event as five numbers, or counts it as dropped if it is full.
 *       The allocator never waits for it.
 *   <li>The <b>replica</b> is a copy of the allocator's segments and blocks that is updated with
 *       the events about thirty times per second. If events are missing it is rebuilt from the
 *       allocator.
 *   <li>Each update is a <b>version</b>. A <b>frame</b> contains the changes between two versions;
 *       a slow viewer receives one frame for all the versions it missed. There is no queue per
 *       viewer, so nothing grows. All numbers of a frame, also those of the ledger, are of the same
 *       version.
 *   <li>A viewer's <b>position</b> is its feed and version; a later viewer can continue there.
 *   <li>Events have the numbers that the recorder gives them, as in the trace of a snapshot.
 * </ul>
 *
 * <p>A feed without viewers does not listen, and costs the allocator nothing.
 */
@NullMarked
package dev.vramscope.live.feed;

import org.jspecify.annotations.NullMarked;
