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
    long leastAllocatedBytes,
    long mostAllocatedBytes,
    long mostActiveBytes,
    long mostReservedBytes) {
  /** Merges two points, at the time of the later one. */
  CurvePoint with(CurvePoint later) {
    return new CurvePoint(
        later.version,
        later.millis,
        afterGap,
        Math.min(leastAllocatedBytes, later.leastAllocatedBytes),
        Math.max(mostAllocatedBytes, later.mostAllocatedBytes),
        Math.max(mostActiveBytes, later.mostActiveBytes),
        Math.max(mostReservedBytes, later.mostReservedBytes));
  }
}
