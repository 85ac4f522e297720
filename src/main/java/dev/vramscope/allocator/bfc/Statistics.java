package dev.vramscope.allocator.bfc;

/** The counters that each allocation and free updates. */
final class Statistics {
  private long allocationCount;
  private long bytesInUse;
  private long peakBytesInUse;
  private long largestAllocationBytes;
  private long requestedBytes;
  private long liveCount;
  private long outOfMemoryCount;

  void allocated(long chunkBytes, long requested) {
    allocationCount++;
    liveCount++;
    requestedBytes += requested;
    bytesInUse += chunkBytes;
    peakBytesInUse = Math.max(peakBytesInUse, bytesInUse);
    largestAllocationBytes = Math.max(largestAllocationBytes, chunkBytes);
  }

  void freed(long chunkBytes, long requested) {
    liveCount--;
    requestedBytes -= requested;
    bytesInUse -= chunkBytes;
  }

  void failed() {
    outOfMemoryCount++;
  }

  /** Resets the allocation count and the peaks. */
  void clear() {
    allocationCount = 0;
    peakBytesInUse = bytesInUse;
    largestAllocationBytes = 0;
  }

  long allocationCount() {
    return allocationCount;
  }

  long bytesInUse() {
    return bytesInUse;
  }

  long peakBytesInUse() {
    return peakBytesInUse;
  }

  long largestAllocationBytes() {
    return largestAllocationBytes;
  }

  long requestedBytes() {
    return requestedBytes;
  }

  long liveCount() {
    return liveCount;
  }

  long outOfMemoryCount() {
    return outOfMemoryCount;
  }
}
