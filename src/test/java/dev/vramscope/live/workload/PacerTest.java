package dev.vramscope.live.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PacerTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong slept = new AtomicLong();

  private Pacer pacer(int operationsPerSecond) {
    return new Pacer(
        operationsPerSecond,
        nanos::get,
        duration -> {
          nanos.addAndGet(duration);
          slept.addAndGet(duration);
        });
  }

  @Test
  void eventsAreSpreadEvenly() {
    Pacer pacer = pacer(1000);
    for (int i = 0; i <= 200; i++) {
      pacer.await(() -> {});
    }
    assertEquals(TimeUnit.MILLISECONDS.toNanos(200), nanos.get());
  }

  @Test
  void catchesUpOnFiveMillisecondsOfEventsAtMost() {
    Pacer pacer = pacer(1000);
    nanos.set(TimeUnit.SECONDS.toNanos(10));
    for (int i = 0; i <= 5; i++) {
      pacer.await(() -> {});
    }
    assertEquals(0, slept.get());
    pacer.await(() -> {});
    assertEquals(TimeUnit.MILLISECONDS.toNanos(1), slept.get());
  }

  @Test
  void unlimitedPacerDoesNotSleep() {
    Pacer pacer = pacer(0);
    pacer.await(() -> {});
    pacer.await(() -> {});
    assertEquals(0, slept.get());
  }
}
