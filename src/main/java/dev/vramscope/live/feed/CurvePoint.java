package dev.vramscope.live.feed;

/**
 * A point of the curves: the extremes of one version.
 *
 * @param millis since the feed was made
 * @param afterGap whether nobody looked since the point before, so that nothing is known between
 */
record CurvePoint(
    long version,
    long millis,
    boolean afterGap,
    long leastAllocatedBytes,
    long mostAllocatedBytes,
    long mostActiveBytes,
    long mostReservedBytes) {
  /** Both in one, at the time of the later. */
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
