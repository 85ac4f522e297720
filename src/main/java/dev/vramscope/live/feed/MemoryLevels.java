package dev.vramscope.live.feed;

/**
 * Current byte counts and their extremes within a version, so that a spike between two frames is
 * not lost. Not thread-safe.
 */
final class MemoryLevels {
  private long requested;
  private long allocated;
  private long active;
  private long reserved;
  private long minAllocated;
  private long maxAllocated;
  private long maxActive;
  private long maxReserved;

  /**
   * Resets the counts to zero. {@link #beginVersion} must follow when the new counts are complete.
   */
  void clear() {
    requested = 0;
    allocated = 0;
    active = 0;
    reserved = 0;
  }

  /** Restarts the extremes at the current counts. */
  void beginVersion() {
    minAllocated = allocated;
    maxAllocated = allocated;
    maxActive = active;
    maxReserved = reserved;
  }

  void allocated(long more) {
    allocated += more;
    maxAllocated = Math.max(maxAllocated, allocated);
    minAllocated = Math.min(minAllocated, allocated);
  }

  void activated(long more, long moreRequested) {
    active += more;
    requested += moreRequested;
    maxActive = Math.max(maxActive, active);
  }

  void reserved(long more) {
    reserved += more;
    maxReserved = Math.max(maxReserved, reserved);
  }

  long requestedBytes() {
    return requested;
  }

  long allocatedBytes() {
    return allocated;
  }

  long activeBytes() {
    return active;
  }

  long reservedBytes() {
    return reserved;
  }

  /** The point of this version. */
  CurvePoint point(long version, long millis, boolean afterGap) {
    return new CurvePoint(
        version, millis, afterGap, minAllocated, maxAllocated, maxActive, maxReserved);
  }
}
