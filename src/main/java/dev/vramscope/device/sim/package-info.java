/**
 * A simulated device of a given size, for tests and for replaying traces without a GPU.
 *
 * <p>It has addresses and sizes, but no data; fills are recorded as {@link
 * dev.vramscope.device.sim.FilledRanges}. Addresses are allocated lowest first: memory from {@link
 * dev.vramscope.device.sim.SimDevice#MEMORY_BASE} on, reservations from {@link
 * dev.vramscope.device.sim.SimDevice#RESERVATION_BASE} on. The streams of a {@link
 * dev.vramscope.device.sim.SimDevice} advance only when {@link dev.vramscope.device.sim.SimStreams}
 * is called. Those of a {@link dev.vramscope.device.sim.TimedSimDevice} take real time, so that
 * they can be busy when an allocator queries them.
 */
@NullMarked
package dev.vramscope.device.sim;

import org.jspecify.annotations.NullMarked;
