/**
 * The lab: allocators on simulated devices, driven by hand, one operation after the other.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>An <b>operation</b> is what a program does: allocate, free, launch a kernel. A
 *       <b>script</b> is a list of operations as text, a superset of the traces that the command
 *       {@code replay} takes; {@link dev.vramscope.live.lab.TraceText} writes the latter.
 *   <li>A <b>side</b> is one allocator with its device. All sides of an <b>experiment</b> run the
 *       same script. What a side does depends on its {@link dev.vramscope.live.lab.Setup} and the
 *       script only. So nothing is kept between two requests: an experiment is its setups and its
 *       script, which a browser keeps in its URL, and every request runs it from the start.
 *   <li>A <b>step</b> is the effect of one operation on one side: the changed segments, the new
 *       {@linkplain dev.vramscope.live.lab.Totals totals}, and the <b>reasons</b>: what the
 *       allocator did, in the order in which it did it. They follow from the allocator's own events
 *       and from its state before and after; no rule of an allocator is implemented here.
 *   <li>A <b>kernel</b> is work on a stream that uses a block. It runs until the script says that
 *       it is finished. Kernels of one stream finish in their order. An event that was recorded
 *       after a kernel completes with it; without a kernel on its stream it completes at once.
 *   <li>A <b>hazard</b> is memory that a running kernel uses and that belongs to a block of another
 *       stream by now: what a missing {@code record_stream} leads to.
 * </ul>
 */
@NullMarked
package dev.vramscope.live.lab;

import org.jspecify.annotations.NullMarked;
