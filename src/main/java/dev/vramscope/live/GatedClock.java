package dev.vramscope.live;

import dev.vramscope.allocator.bfc.MemoryReturned;
import dev.vramscope.allocator.bfc.RetryClock;
import java.util.concurrent.TimeUnit;

/** Real time, until the gate is shut: then every wait is over, so that closing is prompt. */
final class GatedClock implements RetryClock {
  private static final long LONGEST_WAIT_MICROS = 100_000;

  private final RetryClock time = RetryClock.system();
  private final Gate gate;

  GatedClock(Gate gate) {
    this.gate = gate;
  }

  @Override
  public long nowMicros() {
    long now = time.nowMicros();
    return gate.state().isOpen() ? now : now + TimeUnit.HOURS.toMicros(1);
  }

  @Override
  public void await(MemoryReturned memoryReturned, long micros) throws InterruptedException {
    time.await(memoryReturned, Math.min(micros, LONGEST_WAIT_MICROS));
  }
}
