package dev.vramscope.allocator.caching.history;

import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.model.PoolId;

/**
 * One recorded event.
 *
 * @param address 0 for events that have none
 * @param deviceFreeBytes free memory of the device at an {@link AllocatorEvent#OOM}; otherwise 0
 * @param compileContext empty if there was none
 * @param userMetadata empty if there was none
 */
public record HistoryEntry(
    AllocatorEvent event,
    long address,
    long deviceFreeBytes,
    long bytes,
    int stream,
    PoolId pool,
    long timeMicros,
    String compileContext,
    String userMetadata) {}
