package dev.vramscope.allocator.bfc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers frees in the order of the calls. Several allocators may share one counter. TensorFlow
 * uses it to keep freed memory from being reused while kernels may still access it.
 */
public final class TimingCounter {
  private final AtomicLong count = new AtomicLong();

  long next() {
    return count.incrementAndGet();
  }

  /** The last number returned; 0 before the first. */
  public long current() {
    return count.get();
  }
}
