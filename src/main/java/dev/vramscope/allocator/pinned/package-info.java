/**
 * Pinned host memory, cached: what copies between host and device need, and what costs milliseconds
 * to get from the driver.
 *
 * <ul>
 *   <li>A <b>block</b> is what the driver gave, or a piece of the <b>reserve</b>, one large
 *       allocation made first. It is never split and never joined; it serves any later request of
 *       its <b>bucket</b>, whose sizes share a power of two.
 *   <li>A block is <i>active</i> from {@code allocate} until it was freed and every stream that
 *       used it is done with it; then it is cached, or given back if it is larger than what may be
 *       cached.
 *   <li>Requests are rounded up to a power of two, up to a threshold.
 * </ul>
 *
 * <p>The statistics have the names of {@code torch.cuda.host_memory_stats()}.
 */
@NullMarked
package dev.vramscope.allocator.pinned;

import org.jspecify.annotations.NullMarked;
