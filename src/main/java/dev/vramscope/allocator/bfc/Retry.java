package dev.vramscope.allocator.bfc;

/**
 * Decides how long a request that found no place may try again. One object per request; the
 * allocator's lock is held, and let go only while waiting.
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

  /** Waits for a free, unless ten seconds have passed since the first question. */
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
      // The caller learns of it as soon as the request has failed.
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
