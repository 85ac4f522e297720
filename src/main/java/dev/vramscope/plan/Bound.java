package dev.vramscope.plan;

/** How sizes are taken whose growth the recordings do not determine. */
enum Bound {
  /** No larger than in the largest recording. */
  LEAST,
  /** As is likely. */
  LIKELY,
  /** As the recorded sizes rise, or in proportion. */
  MOST
}
