package dev.vramscope.allocator.caching.history;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.TraceAction;

/**
 * One recorded event.
 *
 * @param address 0 for events that have none
 * @param deviceFreeBytes free memory of the device at an {@link TraceAction#OOM}; otherwise 0
 * @param compileContext empty if there was none
 * @param userMetadata empty if there was none
 */
public record HistoryEntry(
    TraceAction action,
    long address,
    long deviceFreeBytes,
    long bytes,
    int stream,
    PoolId pool,
    long timeMicros,
    String compileContext,
    String userMetadata) {}
