package dev.vramscope.allocator.bfc.log;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the number of logged failures of requests that do not retry. XLA has one count per
 * process: allocators that share the count must share one object.
 */
public final class FailureLogLimit {
  private static final int MAX_REPORTS = 10;

  private final AtomicInteger reports = new AtomicInteger();

  public boolean isReached() {
    return reports.get() >= MAX_REPORTS;
  }

  /** Counts a report; returns false if the limit is reached. */
  public boolean tryCount() {
    return reports.getAndUpdate(n -> Math.min(MAX_REPORTS, n + 1)) < MAX_REPORTS;
  }
}
