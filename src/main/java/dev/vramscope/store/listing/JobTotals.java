package dev.vramscope.store.listing;

/**
 * Counts of the snapshots of one job.
 *
 * @param snapshots snapshots of the job
 * @param ranks different ranks among them
 * @param outOfMemory snapshots with an out-of-memory event
 */
public record JobTotals(long snapshots, long ranks, long outOfMemory) {}
