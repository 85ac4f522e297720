package dev.vramscope.allocator.caching.statistics;

/**
 * One figure and its past.
 *
 * @param current now
 * @param peak highest since the last reset of peaks
 * @param allocated sum of all increases
 * @param freed sum of all decreases
 */
public record Stat(long current, long peak, long allocated, long freed) {}
