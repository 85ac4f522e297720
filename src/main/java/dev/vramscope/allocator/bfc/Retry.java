package dev.vramscope.allocator.bfc;

/**
 * Decides how long a failed request retries. One object per request. The caller holds the
 * allocator's lock; it is released only while waiting.
 */
final class Retry {
  private static final long MAX_WAIT_MICROS = 10_000_000;

  private final RetryClock clock;
  private final MemoryFreedCondition memoryFreed;
  private long deadlineMicros = Long.MIN_VALUE;

  Retry(RetryClock clock, MemoryFreedCondition memoryFreed) {
    this.clock = clock;
    this.memoryFreed = memoryFreed;
  }

  /** Waits for freed memory; returns false once ten seconds have passed since the first call. */
  boolean waitedForMemory() {
    long now = clock.nowMicros();
    if (deadlineMicros == Long.MIN_VALUE) {
      deadlineMicros = now + MAX_WAIT_MICROS;
    }
    if (now >= deadlineMicros) {
      return false;
    }
    try {
      clock.await(memoryFreed, deadlineMicros - now);
      return true;
    } catch (InterruptedException e) {
      // The request fails now; its caller sees the interrupt.
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
