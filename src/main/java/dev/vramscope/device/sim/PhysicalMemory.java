package dev.vramscope.device.sim;

/** Counts how much of a simulated device is allocated, by this process and by others. */
final class PhysicalMemory {
  private final long capacityBytes;
  private final long granularityBytes;
  private long usedBytes;
  private long externalBytes;
  private int failuresLeft;

  PhysicalMemory(long capacityBytes, long granularityBytes) {
    this.capacityBytes = capacityBytes;
    this.granularityBytes = granularityBytes;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  long granularityBytes() {
    return granularityBytes;
  }

  /** The next multiple of the granularity; sizes near 2^63 saturate so that they never fit. */
  long roundUp(long bytes) {
    long rounded = (bytes + granularityBytes - 1) & -granularityBytes;
    return rounded < bytes ? Long.MAX_VALUE & -granularityBytes : rounded;
  }

  synchronized boolean allocate(long bytes) {
    if (failuresLeft > 0) {
      failuresLeft--;
      return false;
    }
    if (bytes > capacityBytes - usedBytes - externalBytes) {
      return false;
    }
    usedBytes += bytes;
    return true;
  }

  synchronized void free(long bytes) {
    usedBytes -= bytes;
  }

  synchronized long usedBytes() {
    return usedBytes;
  }

  synchronized long freeBytes() {
    return Math.max(0, capacityBytes - usedBytes - externalBytes);
  }

  synchronized void setExternalBytes(long bytes) {
    externalBytes = bytes;
  }

  synchronized void failRequests(int count) {
    failuresLeft = count;
  }
}
