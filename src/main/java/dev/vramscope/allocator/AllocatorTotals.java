package dev.vramscope.allocator;

/**
 * Figures every allocator has. Bytes: requested ≤ allocated ≤ active ≤ reserved.
 *
 * @param requestedBytes what clients asked for, over active blocks
 * @param allocatedBytes size of the allocated blocks
 * @param activeBytes allocated, or freed and still used by a stream
 * @param reservedBytes held from the device
 * @param peakAllocatedBytes highest {@code allocatedBytes} so far
 * @param peakReservedBytes highest {@code reservedBytes} so far
 * @param allocatedCount allocated blocks
 * @param allocationCount successful allocations since the allocator was made
 * @param outOfMemoryCount requests that failed for want of memory
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
