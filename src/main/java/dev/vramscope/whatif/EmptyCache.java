package dev.vramscope.whatif;

/** When a replay empties the cache in addition to what was recorded. */
public enum EmptyCache {
  /** Only as recorded. */
  NEVER,
  /** At the start of each step. */
  EACH_STEP,
  /** Once, at the start of the step in which the recorded request failed. */
  BEFORE_FAILED_STEP
}
