/**
 * Programs that use a hosted allocator as real ones do, and prove that it hands out memory rightly.
 *
 * <p>The nouns and their laws:
 *
 * <ul>
 *   <li>A <b>workload</b> is a loop of <b>steps</b>; its sizes come from a seeded generator, so the
 *       same request always asks for the same blocks. A <b>run</b> is a workload at work on one
 *       allocator, on a thread of its own.
 *   <li>A run that <b>verifies</b> fills each block with its own {@link
 *       dev.vramscope.device.Pattern}, on the block's stream, and checks it before it is freed, on
 *       the stream that used it last. A <b>mismatch</b> is a block that held something else: two
 *       blocks overlapped, or one was handed out again while a stream still read it.
 *   <li>A step may fail at any allocation. Whatever it had allocated for itself is freed on the way
 *       out, and what the workload keeps stays as it is; so the step can be tried once more.
 *   <li>However a run ends, nothing of it stays allocated: its streams are synchronized, and what
 *       is left is freed.
 * </ul>
 */
@NullMarked
package dev.vramscope.live.workload;

import org.jspecify.annotations.NullMarked;
