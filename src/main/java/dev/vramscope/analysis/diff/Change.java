package dev.vramscope.analysis.diff;

/** How the active bytes of a site or stack differ. */
public enum Change {
  /** Only the second device has active allocations of it. */
  ADDED,
  /** Both have, the second one more bytes. */
  GROWN,
  /** Both have, the second one fewer bytes. */
  SHRUNK,
  /** Only the first device has active allocations of it. */
  REMOVED,
  /** Both have the same number of bytes. */
  SAME
}
