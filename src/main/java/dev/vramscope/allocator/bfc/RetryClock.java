package dev.vramscope.allocator.bfc;

import java.util.concurrent.TimeUnit;

/** Time as the retry of a failed request knows it. */
public interface RetryClock {
  long nowMicros();

  /**
   * Waits until memory was freed, but no longer than this.
   *
   * @param memoryFreed of the allocator, whose lock the caller holds
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

  /** Time for replays: it passes quickly enough that nobody ever waits. */
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
