/**
 * A GPU as an allocator sees it: memory, virtual memory, streams and events.
 *
 * <ul>
 *   <li>An <b>address</b> is a {@code long} in the device's own address space; 0 is no address. A
 *       call that finds no memory answers 0, any other failure is a {@link
 *       dev.vramscope.device.DeviceException}.
 *   <li>A <b>stream</b> is a small number that the device gave out, at most {@link
 *       dev.vramscope.device.Streams#MAX_STREAM}; {@link dev.vramscope.device.Streams#DEFAULT} is
 *       0. Streams are ordered by that number.
 *   <li>An <b>event</b> is a mark in a stream: it is done when everything that was enqueued before
 *       it is done.
 *   <li>A <b>page</b> is physical memory without an address ({@link
 *       dev.vramscope.device.VirtualMemory}); a <b>reservation</b> is an address range without
 *       memory. Mapping joins them.
 *   <li>Giving memory back may wait until the whole device is idle ({@code cuMemFree} does);
 *       unmapping waits for nothing, so who unmaps waits for the streams that use the range first.
 *   <li><b>Work</b> fills memory with a {@link dev.vramscope.device.Pattern} and checks it, in the
 *       order of a stream: what an allocator handed out wrongly is found by it.
 * </ul>
 *
 * <p>Implementations are safe for use by several threads.
 */
@NullMarked
package dev.vramscope.device;

import org.jspecify.annotations.NullMarked;
