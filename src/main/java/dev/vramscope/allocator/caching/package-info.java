/**
 * PyTorch's native CUDA caching allocator, with the behaviour of release 2.14.
 *
 * <h2>Terms</h2>
 *
 * <ul>
 *   <li>A <b>segment</b> is a contiguous address range held from the device ({@code Segments}): a
 *       single allocation ({@code PlainSegments}) or an address reservation into which pages are
 *       mapped ({@code ExpandableSegments}).
 *   <li>A <b>block</b> is a piece of a segment ({@code Blocks}, a table of packed records). Only
 *       {@code SegmentLayout} <b>splits</b> and <b>coalesces</b> blocks.
 *   <li>A <b>pool</b> holds the inactive blocks of one kind: the <b>small</b> pool serves blocks up
 *       to 1 MiB, the <b>large</b> pool the others ({@code Pool}). A <b>private pool</b> is such a
 *       pair that serves only the requests in its <b>scopes</b> ({@code PrivatePool}, {@code
 *       Pools}).
 *   <li>A <b>free list</b> contains the inactive mapped blocks of a pool for one stream: the
 *       newest, and the others by size ({@code FreeList}, {@code SortedBlocks}).
 *   <li>A <b>pending free</b> is a freed block that another stream may still use ({@code
 *       PendingFrees}); during a graph <b>capture</b> it is deferred ({@code Captures}).
 *   <li>An <b>oversize</b> block has at least {@code max_split_size} bytes and is never split.
 *   <li>A <b>fallback pool</b> is a private pool that serves requests of the default pools before
 *       they fail ({@code use_on_oom} in PyTorch).
 * </ul>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>The blocks of a segment cover it without gaps; all have its stream.
 *   <li>Of two inactive neighbours exactly one is mapped; otherwise they would have coalesced.
 *   <li>A block is in a free list if and only if it is inactive and mapped.
 *   <li>A block is removed from its list before its size, address or state changes.
 *   <li>A block never moves between streams or pools; its memory is released to the device first.
 * </ol>
 *
 * <h2>Entry points</h2>
 *
 * {@link dev.vramscope.allocator.caching.CachingAllocator} locks and delegates to {@code
 * AllocateSteps}, which serves requests, and {@code FreeSteps}, which frees blocks. The other
 * classes are not thread-safe and share their state through {@code AllocatorState}.
 *
 * <p>The sub-packages {@code configuration}, {@code history} and {@code statistics} depend neither
 * on this package nor on each other. Size arithmetic is in {@link dev.vramscope.model.SizeRules}.
 */
@NullMarked
package dev.vramscope.allocator.caching;

import org.jspecify.annotations.NullMarked;
