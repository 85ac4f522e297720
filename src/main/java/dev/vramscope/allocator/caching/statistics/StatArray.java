package dev.vramscope.allocator.caching.statistics;

/** A figure for both kinds of pool together and for each. */
public record StatArray(Stat all, Stat smallPool, Stat largePool) {}
