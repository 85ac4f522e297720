package dev.vramscope.allocator;

/**
 * An allocated block and the contiguous free memory that freeing it would give.
 *
 * @param contiguousBytes its own size and the free bytes directly before and after it
 */
public record ReleaseCandidate(BlockView block, long contiguousBytes) {}
