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
 *   <li>Handing out and taking back go through a {@link dev.vramscope.live.Gate}, so that closing
 *       never meets a half-done operation. Questions pass freely, also after closing.
 *   <li>An <b>incident</b> is a request that failed, or a fault of the card. Its evidence, a stored
 *       snapshot, is taken on the failing thread before the failure is thrown; the allocator goes
 *       on working.
 *   <li>All numbers of things are bounded by {@link dev.vramscope.live.LiveSettings}; what is over
 *       a bound is refused with the bound's name.
 * </ul>
 */
@NullMarked
package dev.vramscope.live;

import org.jspecify.annotations.NullMarked;
