package dev.vramscope.allocator.bfc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers frees in the order in which they were asked for. Several allocators may share one.
 * TensorFlow uses it to keep freed memory from work that could still run.
 */
public final class TimingCounter {
  private final AtomicLong count = new AtomicLong();

  long next() {
    return count.incrementAndGet();
  }

  /** The last number given, 0 before the first. */
  public long current() {
    return count.get();
  }
}
