/**
 * Allocators of device memory, and what they all can be asked.
 *
 * <p>An {@link dev.vramscope.allocator.Allocator} takes <b>segments</b> from a device and hands out
 * <b>blocks</b>, pieces of a segment. A block is named by a <b>handle</b>, a {@code long} that is
 * never 0 and never used again after the block was freed. A block is
 *
 * <ul>
 *   <li><i>allocated</i> from {@code allocate} to {@code free},
 *   <li><i>active</i> until, in addition, every stream that used it is done with it,
 *   <li><i>inactive</i> otherwise, and then part of the cache.
 * </ul>
 *
 * <p>Every allocator is safe for use by several threads. It has one lock; listeners are called
 * under it, with numbers only, and must not wait for another thread that may want the same
 * allocator. Failures to find memory are reported after the lock was released.
 */
@NullMarked
package dev.vramscope.allocator;

import org.jspecify.annotations.NullMarked;
