package dev.vramscope.allocator;

/**
 * The statistics that every allocator has. Always requested ≤ active ≤ reserved, and allocated ≤
 * active, in bytes. A freed block that a stream still uses no longer counts as allocated, but as
 * requested and active until that use has completed.
 *
 * @param requestedBytes sum of the requested sizes of active blocks
 * @param allocatedBytes sum of the sizes of allocated blocks
 * @param activeBytes sum of the sizes of blocks that are allocated, or freed and still used by a
 *     stream
 * @param reservedBytes sum of the sizes of segments
 * @param peakAllocatedBytes highest {@code allocatedBytes} so far
 * @param peakReservedBytes highest {@code reservedBytes} so far
 * @param allocatedCount number of allocated blocks
 * @param allocationCount successful allocations since the allocator was created
 * @param outOfMemoryCount requests that failed because memory ran out
 */
public record AllocatorTotals(
    long requestedBytes,
    long allocatedBytes,
    long activeBytes,
    long reservedBytes,
    long peakAllocatedBytes,
    long peakReservedBytes,
    long allocatedCount,
    long allocationCount,
    long outOfMemoryCount) {}
