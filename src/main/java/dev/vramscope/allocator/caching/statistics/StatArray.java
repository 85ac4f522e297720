package dev.vramscope.allocator.caching.statistics;

/** A statistic of all pools, of the small pools and of the large pools. */
public record StatArray(Stat all, Stat smallPool, Stat largePool) {}
