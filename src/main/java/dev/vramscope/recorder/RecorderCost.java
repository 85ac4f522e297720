package dev.vramscope.recorder;

/**
 * The cost and the losses of recording.
 *
 * @param eventCount events written for all allocators since their recording started
 * @param overwrittenCount those of them that newer events have overwritten
 * @param stackCount captured call stacks
 * @param stackNanos the time spent capturing them, in the callers' threads
 * @param contextCount distinct contexts
 * @param droppedCount frames and paths that were dropped because a table was full
 */
public record RecorderCost(
    long eventCount,
    long overwrittenCount,
    long stackCount,
    long stackNanos,
    long contextCount,
    long droppedCount) {}
