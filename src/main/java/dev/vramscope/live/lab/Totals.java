package dev.vramscope.live.lab;

import dev.vramscope.allocator.AllocatorTotals;

/**
 * The numbers of a side after a step.
 *
 * @param allocated the allocator's own totals
 * @param freeBytes reserved and inactive
 * @param largestFreeBytes the largest inactive block
 * @param fragmentation 1 − largest / free; 0 without free memory
 * @param deviceFreeBytes free on the device
 * @param externalBytes held by other programs
 * @param driverCalls that acquired or released memory, or were refused
 * @param retries how often the cache was released for a request
 */
public record Totals(
    AllocatorTotals allocated,
    long freeBytes,
    long largestFreeBytes,
    double fragmentation,
    long deviceBytes,
    long deviceFreeBytes,
    long externalBytes,
    long driverCalls,
    long retries) {}
