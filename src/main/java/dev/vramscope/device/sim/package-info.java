/**
 * A simulated card of N bytes, for tests and for replaying traces without a GPU.
 *
 * <p>It holds numbers, no data. Addresses are handed out lowest first: memory from {@link
 * dev.vramscope.device.sim.SimDevice#MEMORY_BASE} on, reservations from {@link
 * dev.vramscope.device.sim.SimDevice#RESERVATION_BASE} on. Work in a stream never ends by itself:
 * whoever holds the {@link dev.vramscope.device.sim.SimStreams} says how far each stream has come.
 */
@NullMarked
package dev.vramscope.device.sim;

import org.jspecify.annotations.NullMarked;
