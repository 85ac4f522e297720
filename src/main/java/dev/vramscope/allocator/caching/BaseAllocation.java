package dev.vramscope.allocator.caching;

/** The driver allocation that a block is a part of: what can be shared with another process. */
public record BaseAllocation(long address, long bytes) {}
