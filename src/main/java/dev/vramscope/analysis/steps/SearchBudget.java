package dev.vramscope.analysis.steps;

/** Bounds the search for loops: a file may contain positions in every order. */
final class SearchBudget {
  private long left;

  SearchBudget(long positions) {
    left = positions;
  }

  /** Whether so many positions may be looked at. */
  boolean take(long positions) {
    left -= positions;
    return left >= 0;
  }

  /** Whether the search was cut short, so that its result is incomplete. */
  boolean isExhausted() {
    return left < 0;
  }
}
