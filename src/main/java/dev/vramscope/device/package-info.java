/**
 * The device interface that allocators use: memory, virtual memory, streams and events.
 *
 * <ul>
 *   <li>An <b>address</b> is a {@code long} in the device's own address space; 0 is no address. A
 *       call that runs out of memory returns 0; any other failure is a {@link
 *       dev.vramscope.device.DeviceException}.
 *   <li>A <b>stream</b> is a small number assigned by the device, at most {@link
 *       dev.vramscope.device.Streams#MAX_STREAM}; {@link dev.vramscope.device.Streams#DEFAULT} is
 *       0. Streams are ordered by that number.
 *   <li>An <b>event</b> is a point in a stream: it is done when everything enqueued before it is
 *       done.
 *   <li>A <b>page</b> is physical memory without an address ({@link
 *       dev.vramscope.device.VirtualMemory}); a <b>reservation</b> is an address range without
 *       memory. Mapping connects the two.
 *   <li>Freeing memory may wait until the whole device is idle ({@code cuMemFree} does). Unmapping
 *       does not wait: the caller first waits for the streams that use the range.
 *   <li><b>Work</b> fills memory with a {@link dev.vramscope.device.Pattern} and checks it, in
 *       stream order. It finds memory that an allocator assigned twice.
 * </ul>
 *
 * <p>Implementations are thread-safe.
 */
@NullMarked
package dev.vramscope.device;

import org.jspecify.annotations.NullMarked;
