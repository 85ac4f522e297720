/**
 * Allocators that run in this process, on a GPU or on a simulated device.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>A <b>device</b> is named by a {@link dev.vramscope.live.DeviceChoice}: a GPU of the driver,
 *       or a simulated device that is created for one allocator and removed with it.
 *   <li>A {@link dev.vramscope.live.HostedAllocator} is an allocator with its device, its recorder
 *       and its incidents. It is {@linkplain dev.vramscope.live.HostedState open} until it is
 *       closed or its device is lost. From then on every operation is rejected with a reason.
 *   <li>Every operation passes an {@link dev.vramscope.live.OperationGuard} and its {@link
 *       dev.vramscope.live.ShutdownGate}, so that closing waits for running operations. Queries are
 *       not guarded and work after closing.
 *   <li>Closing has three steps: users of the allocator are <b>stopped</b> while it still works;
 *       the gate is closed, and later callers are rejected; all memory is released to the device.
 *   <li>An <b>incident</b> is a request that failed, or a failure of the device. Its <b>failure
 *       snapshot</b> is taken by the guard: on the failing thread, outside the allocator's lock,
 *       before the client receives the exception, and in the same way for all kinds of allocators.
 *       The allocator remains usable. A {@link dev.vramscope.live.SnapshotLimit} bounds their
 *       number; the first failure of each {@linkplain dev.vramscope.live.RequestSource source} has
 *       one.
 *   <li>All counts are limited by {@link dev.vramscope.live.LiveSettings}; a request above a limit
 *       is rejected with the name of the limit.
 * </ul>
 */
@NullMarked
package dev.vramscope.live;

import org.jspecify.annotations.NullMarked;
