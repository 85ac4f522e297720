/**
 * What other settings, or another allocator, would have made of a recorded run: its requests are
 * replayed through the allocators of this service on a simulated device.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>A {@link dev.vramscope.whatif.RecordedRun} has the requests of clients only: allocations,
 *       frees and the waiting of freed blocks for other streams. Segments are what an allocator
 *       makes of them.
 *   <li>A {@link dev.vramscope.whatif.Variant} is an allocator and its settings; together with a
 *       {@link dev.vramscope.whatif.DeviceSize} it determines the {@link
 *       dev.vramscope.whatif.Outcome}: the same input always has the same outcome.
 *   <li>A request that fails in a replay is counted and skipped with its free.
 * </ul>
 */
@NullMarked
package dev.vramscope.whatif;

import org.jspecify.annotations.NullMarked;
