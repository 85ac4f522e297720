/**
 * A caching allocator of pinned host memory, which asynchronous copies between host and device need
 * and which takes the driver milliseconds to allocate. It behaves like PyTorch's caching host
 * allocator.
 *
 * <ul>
 *   <li>A <b>block</b> is one allocation of the driver, or part of the <b>reserve</b>, one large
 *       allocation made first. It is never split or coalesced; it serves any later request of its
 *       <b>bucket</b>, whose sizes share a power of two.
 *   <li>A block is <i>active</i> from {@code allocate} until it was freed and no stream uses it any
 *       more; then it is cached, or released if it is larger than the limit for cached blocks.
 *   <li>Requests are rounded up to a power of two, up to a threshold.
 * </ul>
 *
 * <p>The statistics have the names of {@code torch.cuda.host_memory_stats()}.
 */
@NullMarked
package dev.vramscope.allocator.pinned;

import org.jspecify.annotations.NullMarked;
