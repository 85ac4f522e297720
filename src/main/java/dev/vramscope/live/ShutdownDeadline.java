package dev.vramscope.live;

import dev.vramscope.allocator.bfc.MemoryFreedCondition;
import dev.vramscope.allocator.bfc.RetryClock;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Real time, until it ends: then every wait for memory is over, so that closing is prompt. */
final class ShutdownDeadline implements RetryClock {
  private static final long LONGEST_WAIT_MICROS = 100_000;

  private final RetryClock time = RetryClock.system();
  private final BooleanSupplier ended;

  ShutdownDeadline(BooleanSupplier ended) {
    this.ended = ended;
  }

  @Override
  public long nowMicros() {
    long now = time.nowMicros();
    return ended.getAsBoolean() ? now + TimeUnit.HOURS.toMicros(1) : now;
  }

  @Override
  public void await(MemoryFreedCondition memoryFreed, long micros) throws InterruptedException {
    time.await(memoryFreed, Math.min(micros, LONGEST_WAIT_MICROS));
  }
}
