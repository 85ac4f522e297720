package dev.vramscope.allocator.caching;

/** The driver allocation that contains a block; it can be shared with another process. */
public record BaseAllocation(long address, long bytes) {}
