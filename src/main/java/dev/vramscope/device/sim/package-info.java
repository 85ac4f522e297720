/**
 * A simulated card of N bytes, for tests and for replaying traces without a GPU.
 *
 * <p>It holds numbers, no data; what memory was filled with is remembered as {@link
 * dev.vramscope.device.sim.Stamps stamps}. Addresses are handed out lowest first: memory from
 * {@link dev.vramscope.device.sim.SimDevice#MEMORY_BASE} on, reservations from {@link
 * dev.vramscope.device.sim.SimDevice#RESERVATION_BASE} on. Work in a stream of a {@link
 * dev.vramscope.device.sim.SimDevice} never ends by itself: whoever holds the {@link
 * dev.vramscope.device.sim.SimStreams} says how far each stream has come. The streams of a {@link
 * dev.vramscope.device.sim.LiveSimDevice} take time, so that they can be busy when an allocator
 * asks.
 */
@NullMarked
package dev.vramscope.device.sim;

import org.jspecify.annotations.NullMarked;
