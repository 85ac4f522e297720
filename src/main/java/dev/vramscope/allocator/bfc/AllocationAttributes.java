package dev.vramscope.allocator.bfc;

/**
 * How a request is to be served.
 *
 * @param end from which end of a partitioned region
 * @param onFailure what to do when there is no place
 * @param freedByCount only chunks freed up to this count of the timing counter; 0 for any
 */
public record AllocationAttributes(AllocationEnd end, OnFailure onFailure, long freedByCount) {
  /** What a caller wants when there is no place for its request. */
  public enum OnFailure {
    /** Wait for others to free, then fail with a full report. */
    RETRY,
    /** Fail at once and say little: the caller has another way. */
    TOLERATE
  }

  public static final AllocationAttributes DEFAULT =
      new AllocationAttributes(AllocationEnd.LOWER, OnFailure.RETRY, 0);

  boolean isTolerant() {
    return onFailure == OnFailure.TOLERATE;
  }
}
