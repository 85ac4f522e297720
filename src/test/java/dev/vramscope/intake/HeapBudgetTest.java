package dev.vramscope.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeapBudgetTest {
  private static final long MIB = 1 << 20;

  @Test
  void largeFileReservesWholeBudget() {
    HeapBudget budget = new HeapBudget(600 * MIB);
    assertEquals(600, budget.mebibytesFor(2000 * MIB));
    assertEquals(150, budget.mebibytesFor(100 * MIB));
    assertEquals(120, budget.mebibytesFor(10 * MIB));
    assertEquals(8, budget.mebibytesFor(0));
  }

  @Test
  void secondReservationWaitsForFirst() throws Exception {
    HeapBudget budget = new HeapBudget(100 * MIB);
    AtomicInteger reading = new AtomicInteger();
    Thread second;
    try (HeapBudget.Reservation _ = budget.reserve(1000 * MIB)) {
      second =
          Thread.startVirtualThread(
              () -> {
                try (HeapBudget.Reservation _ = budget.reserve(0)) {
                  reading.incrementAndGet();
                } catch (InterruptedException unexpected) {
                  reading.set(-1);
                }
              });
      while (second.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertEquals(0, reading.get());
    }
    second.join();
    assertEquals(1, reading.get());
  }
}
