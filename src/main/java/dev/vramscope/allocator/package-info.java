/**
 * Allocators of device memory, and their common interface.
 *
 * <p>An {@link dev.vramscope.allocator.Allocator} acquires <b>segments</b> from a device and
 * allocates <b>blocks</b>, which are parts of a segment. A block is identified by a <b>handle</b>,
 * a {@code long} that is never 0 and is not reused after the block was freed. A block is
 *
 * <ul>
 *   <li><i>allocated</i> from {@code allocate} to {@code free},
 *   <li><i>active</i> until, in addition, no stream uses it any more,
 *   <li><i>inactive</i> otherwise, and then part of the cache.
 * </ul>
 *
 * <p>Every allocator is thread-safe. It has one lock; listeners are called under it, with numbers
 * only, and must not wait for another thread that may use the same allocator. {@code
 * OutOfMemoryObserver}s are called after the lock was released.
 */
@NullMarked
package dev.vramscope.allocator;

import org.jspecify.annotations.NullMarked;
