package dev.vramscope.allocator.bfc;

/**
 * How a request is served.
 *
 * @param end the end of a partitioned region to allocate from
 * @param onFailure what to do when no chunk fits
 * @param freedByCount use only chunks freed at or before this count of the timing counter; 0 for
 *     any
 */
public record AllocationAttributes(AllocationEnd end, OnFailure onFailure, long freedByCount) {
  /** What to do when no chunk fits a request. */
  public enum OnFailure {
    /** Wait for other threads to free memory, then fail with a full report. */
    RETRY,
    /** Fail immediately with a short report: the caller has a fallback. */
    FAIL_FAST
  }

  public static final AllocationAttributes DEFAULT =
      new AllocationAttributes(AllocationEnd.LOWER, OnFailure.RETRY, 0);

  boolean failsFast() {
    return onFailure == OnFailure.FAIL_FAST;
  }
}
