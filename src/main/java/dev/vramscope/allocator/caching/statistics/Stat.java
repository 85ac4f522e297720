package dev.vramscope.allocator.caching.statistics;

/**
 * One statistic, with PyTorch's meanings.
 *
 * @param current the current value
 * @param peak the highest value since peaks were last reset
 * @param allocated the sum of all increases since sums were last reset
 * @param freed the sum of all decreases since sums were last reset
 */
public record Stat(long current, long peak, long allocated, long freed) {}
