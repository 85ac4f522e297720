package dev.vramscope.allocator.bfc;

import java.util.concurrent.TimeUnit;

/** The clock of retries. */
public interface RetryClock {
  long nowMicros();

  /**
   * Waits until memory is freed, at most the given time.
   *
   * @param memoryFreed the allocator's condition; the caller holds the allocator's lock
   */
  void await(MemoryFreedCondition memoryFreed, long micros) throws InterruptedException;

  /** Real time. */
  static RetryClock system() {
    return new RetryClock() {
      @Override
      public long nowMicros() {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
      }

      @Override
      public void await(MemoryFreedCondition memoryFreed, long micros) throws InterruptedException {
        memoryFreed.await(micros);
      }
    };
  }

  /** A clock for replays: it advances by 11 s at each reading, so no request waits. */
  static RetryClock virtual() {
    return new RetryClock() {
      private static final long STEP_MICROS = 11_000_000;
      private long now;

      @Override
      public long nowMicros() {
        now += STEP_MICROS;
        return now;
      }

      @Override
      public void await(MemoryFreedCondition memoryFreed, long micros) {}
    };
  }
}
