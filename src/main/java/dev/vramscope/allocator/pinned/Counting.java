package dev.vramscope.allocator.pinned;

/** The statistics while they are counted; guarded by the allocator's lock. */
final class Counting {
  private PinnedStat activeRequests = PinnedStat.ZERO;
  private PinnedStat activeBytes = PinnedStat.ZERO;
  private PinnedStat allocations = PinnedStat.ZERO;
  private PinnedStat allocatedBytes = PinnedStat.ZERO;
  private DriverTime allocateTime = DriverTime.NONE;
  private DriverTime freeTime = DriverTime.NONE;

  void handedOut(PinnedBlock block) {
    activeRequests = activeRequests.increased(1);
    activeBytes = activeBytes.increased(block.bytes);
  }

  void inactive(PinnedBlock block) {
    activeRequests = activeRequests.decreased(1);
    activeBytes = activeBytes.decreased(block.bytes);
  }

  void added(PinnedBlock block) {
    allocations = allocations.increased(1);
    allocatedBytes = allocatedBytes.increased(block.bytes);
  }

  void removed(PinnedBlock block) {
    allocations = allocations.decreased(1);
    allocatedBytes = allocatedBytes.decreased(block.bytes);
  }

  void driverAllocated(long micros) {
    allocateTime = allocateTime.with(micros);
  }

  void driverFreed(long micros) {
    freeTime = freeTime.with(micros);
  }

  void resetPeaks() {
    activeRequests = activeRequests.withPeakNow();
    activeBytes = activeBytes.withPeakNow();
    allocations = allocations.withPeakNow();
    allocatedBytes = allocatedBytes.withPeakNow();
  }

  PinnedStatistics view() {
    return new PinnedStatistics(
        activeRequests, activeBytes, allocations, allocatedBytes, allocateTime, freeTime);
  }
}
