package dev.vramscope.live.feed;

/**
 * A point of the curves: the extremes within one version.
 *
 * @param millis since the feed was created
 * @param afterGap whether no viewer was connected since the previous point, so that the time
 *     between them was not observed
 */
record CurvePoint(
    long version,
    long millis,
    boolean afterGap,
    long minAllocatedBytes,
    long maxAllocatedBytes,
    long maxActiveBytes,
    long maxReservedBytes) {
  /** Merges two points, at the time of the later one. */
  CurvePoint with(CurvePoint later) {
    return new CurvePoint(
        later.version,
        later.millis,
        afterGap,
        Math.min(minAllocatedBytes, later.minAllocatedBytes),
        Math.max(maxAllocatedBytes, later.maxAllocatedBytes),
        Math.max(maxActiveBytes, later.maxActiveBytes),
        Math.max(maxReservedBytes, later.maxReservedBytes));
  }
}
