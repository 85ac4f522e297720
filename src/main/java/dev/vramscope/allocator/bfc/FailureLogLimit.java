package dev.vramscope.allocator.bfc;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many requests may still be reported that fail without a retry. The original has one count for
 * a whole process: share one object between the allocators that are to share it.
 */
public final class FailureLogLimit {
  private static final int MAX_REPORTS = 10;

  private final AtomicInteger reports = new AtomicInteger();

  boolean isReached() {
    return reports.get() >= MAX_REPORTS;
  }

  /** Counts a report, unless there were enough. */
  boolean take() {
    return reports.getAndUpdate(n -> Math.min(MAX_REPORTS, n + 1)) < MAX_REPORTS;
  }
}
