/**
 * Programs that use a hosted allocator like real training and inference programs, and verify that
 * it allocates memory correctly.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>A <b>workload</b> is a loop of <b>steps</b>. Its sizes come from a seeded generator, so
 *       equal parameters request equal blocks. A <b>run</b> is one execution of a workload on an
 *       allocator, on its own thread.
 *   <li>A run that <b>verifies</b> fills each block with its own {@link
 *       dev.vramscope.device.Pattern}, on the stream of the block, and checks it before it is
 *       freed, on the stream that used it last. A <b>mismatch</b> is a block whose content differs
 *       from its pattern: two blocks overlapped, or one was reused while a stream was still reading
 *       it.
 *   <li>A step may fail at any allocation. Its temporary blocks are then freed and the permanent
 *       blocks of the workload remain, so the step can be repeated.
 *   <li>When a run ends, for whatever reason, its streams are synchronized and its remaining blocks
 *       are freed.
 * </ul>
 */
@NullMarked
package dev.vramscope.live.workload;

import org.jspecify.annotations.NullMarked;
