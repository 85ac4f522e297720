package dev.vramscope.live;

import dev.vramscope.allocator.bfc.MemoryFreedCondition;
import dev.vramscope.allocator.bfc.RetryClock;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A clock that jumps one hour ahead when the allocator is closing, so that every request that waits
 * for memory times out and closing is not delayed.
 */
final class ShutdownDeadline implements RetryClock {
  private static final long MAX_WAIT_MICROS = 100_000;

  private final RetryClock time;
  private final BooleanSupplier closing;

  ShutdownDeadline(RetryClock time, BooleanSupplier closing) {
    this.time = time;
    this.closing = closing;
  }

  @Override
  public long nowMicros() {
    long now = time.nowMicros();
    return closing.getAsBoolean() ? now + TimeUnit.HOURS.toMicros(1) : now;
  }

  @Override
  public void await(MemoryFreedCondition memoryFreed, long micros) throws InterruptedException {
    time.await(memoryFreed, Math.min(micros, MAX_WAIT_MICROS));
  }
}
