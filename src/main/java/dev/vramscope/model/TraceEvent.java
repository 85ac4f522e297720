package dev.vramscope.model;

import org.jspecify.annotations.Nullable;

/**
 * One event of a {@link Trace}.
 *
 * @param index its number in the trace
 * @param action the kind of event
 * @param address of the block or segment, unsigned; 0 for events without one
 * @param bytes requested bytes of an allocation or free, segment bytes of a segment event
 * @param stream the stream
 * @param stack an id in the snapshot's {@link StackTable}, 0 if none was recorded
 * @param timeMicros microseconds since 1970, or {@link Trace#NO_TIME}
 * @param pool the pool, or null if not recorded (before PyTorch 2.12)
 */
public record TraceEvent(
    int index,
    TraceAction action,
    long address,
    long bytes,
    long stream,
    int stack,
    long timeMicros,
    @Nullable PoolId pool) {}
