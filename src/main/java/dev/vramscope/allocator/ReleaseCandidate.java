package dev.vramscope.allocator;

/**
 * An allocated block and the contiguous free piece that freeing it would give.
 *
 * @param contiguousBytes its own size and what lies free directly before and after it
 */
public record ReleaseCandidate(BlockView block, long contiguousBytes) {}
