/**
 * Allocators that run in this process, on a GPU or on a simulated card.
 *
 * <p>The nouns and their laws:
 *
 * <ul>
 *   <li>A <b>card</b> is what a {@link dev.vramscope.live.DeviceChoice} names: a GPU of the driver,
 *       or a simulated card that is made for one allocator and gone with it.
 *   <li>A {@link dev.vramscope.live.HostedAllocator} is an allocator with its card, its recorder
 *       and its incidents. It is {@linkplain dev.vramscope.live.HostedState open} until it is
 *       closed or its card is lost; from then on every change is refused with a reason, whoever
 *       asks, and nothing of it is left on the card.
 *   <li>Every change goes through a {@link dev.vramscope.live.OperationGuard} and its {@link
 *       dev.vramscope.live.ShutdownGate}, so that closing never meets a half-done operation.
 *       Questions pass freely, also after closing.
 *   <li>Closing has three steps: what uses the allocator <b>ends</b>, while it still works; the
 *       gate is shut, and whoever comes later is told so; everything goes back to the card.
 *   <li>An <b>incident</b> is a request that failed, or a fault of the card. Its <b>evidence</b>, a
 *       stored snapshot, is taken in the guard: on the failing thread, outside the allocator's
 *       lock, before any client learns of the failure, and for all kinds of allocators alike. The
 *       allocator goes on working.
 *   <li>All numbers of things are bounded by {@link dev.vramscope.live.LiveSettings}; what is over
 *       a bound is refused with the bound's name.
 * </ul>
 */
@NullMarked
package dev.vramscope.live;

import org.jspecify.annotations.NullMarked;
