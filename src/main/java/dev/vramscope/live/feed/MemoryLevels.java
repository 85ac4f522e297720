package dev.vramscope.live.feed;

/**
 * Bytes in use now, and how far they went up and down within a version, so that no spike between
 * two frames is lost. Not thread-safe.
 */
final class MemoryLevels {
  private long requested;
  private long allocated;
  private long active;
  private long reserved;
  private long leastAllocated;
  private long mostAllocated;
  private long mostActive;
  private long mostReserved;

  /** Nothing in use; {@link #begin} when that is filled, or the extremes are of no state. */
  void clear() {
    requested = 0;
    allocated = 0;
    active = 0;
    reserved = 0;
  }

  /** The extremes are counted from here on. */
  void begin() {
    leastAllocated = allocated;
    mostAllocated = allocated;
    mostActive = active;
    mostReserved = reserved;
  }

  void allocated(long more) {
    allocated += more;
    mostAllocated = Math.max(mostAllocated, allocated);
    leastAllocated = Math.min(leastAllocated, allocated);
  }

  void activated(long more, long moreRequested) {
    active += more;
    requested += moreRequested;
    mostActive = Math.max(mostActive, active);
  }

  void reserved(long more) {
    reserved += more;
    mostReserved = Math.max(mostReserved, reserved);
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

  /** Where the curves were in this version. */
  CurvePoint point(long version, long millis, boolean afterGap) {
    return new CurvePoint(
        version, millis, afterGap, leastAllocated, mostAllocated, mostActive, mostReserved);
  }
}
