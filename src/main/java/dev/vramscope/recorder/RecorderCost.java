package dev.vramscope.recorder;

/**
 * What recording costs and what it could not keep.
 *
 * @param eventCount events written, all allocators together, since their histories were begun
 * @param overwrittenCount of these, how many newer ones have replaced
 * @param stackCount call stacks taken
 * @param stackNanos time that took, in the callers' threads
 * @param contextCount distinct contexts
 * @param droppedCount frames and paths for which the tables had no room
 */
public record RecorderCost(
    long eventCount,
    long overwrittenCount,
    long stackCount,
    long stackNanos,
    long contextCount,
    long droppedCount) {}
