package dev.vramscope.allocator.pinned;

/** The running statistics; guarded by the allocator's lock. */
final class PinnedCounters {
  private PinnedStat activeRequests = PinnedStat.ZERO;
  private PinnedStat activeBytes = PinnedStat.ZERO;
  private PinnedStat allocations = PinnedStat.ZERO;
  private PinnedStat allocatedBytes = PinnedStat.ZERO;
  private DriverTime allocateTime = DriverTime.NONE;
  private DriverTime freeTime = DriverTime.NONE;

  void activated(PinnedBlock block) {
    activeRequests = activeRequests.increased(1);
    activeBytes = activeBytes.increased(block.bytes);
  }

  void deactivated(PinnedBlock block) {
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
    activeRequests = activeRequests.withPeakReset();
    activeBytes = activeBytes.withPeakReset();
    allocations = allocations.withPeakReset();
    allocatedBytes = allocatedBytes.withPeakReset();
  }

  PinnedStatistics view() {
    return new PinnedStatistics(
        activeRequests, activeBytes, allocations, allocatedBytes, allocateTime, freeTime);
  }
}
