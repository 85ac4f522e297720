/**
 * What a browser sees of a hosted allocator while it works.
 *
 * <pre>
 *   allocator ─ under its lock ─▶ FeedListener ─▶ FeedRing ─▶ AllocatorReplica ─▶ FrameWriter ─▶ Viewer, Viewer …
 *               nanoseconds       numbers        bounded     one thread a feed        a thread each
 * </pre>
 *
 * <ul>
 *   <li>The <b>ring</b> takes every event as four numbers, or counts that it had no room. Nothing
 *       the allocator does ever waits for it.
 *   <li>The <b>replica</b> is a copy of the allocator's segments and blocks, led on by the events
 *       some thirty times a second. After a gap in them it is made anew from the allocator itself.
 *   <li>Each leading-on is a <b>version</b>. A <b>frame</b> says what changed between two versions;
 *       a viewer that was slow gets one frame for all the versions it missed. So there is no queue
 *       before a viewer, and nothing that could grow.
 * </ul>
 *
 * <p>A feed without viewers does not listen and costs nothing.
 */
@NullMarked
package dev.vramscope.live.feed;

import org.jspecify.annotations.NullMarked;
