/**
 * The blocks and segments of the caching allocator, and the sorted sets that free blocks are
 * searched in.
 *
 * <ul>
 *   <li>Blocks are numbers in flat arrays ({@link dev.vramscope.allocator.caching.blocks.Blocks}),
 *       which draws their layout.
 *   <li>A set of free blocks is sorted by size and address, as PyTorch's is ({@link
 *       dev.vramscope.allocator.caching.blocks.SortedBlocks}).
 * </ul>
 */
@NullMarked
package dev.vramscope.allocator.caching.blocks;

import org.jspecify.annotations.NullMarked;
