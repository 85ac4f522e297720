package dev.vramscope.recorder;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * One thread adds while others copy, in the interleavings that Lincheck explores. A copy holds only
 * complete events, and their numbers are consecutive up to the last event written.
 */
public class EventRingModelTest {
  private final EventRing ring = new EventRing(2);
  private int added;

  @Operation(nonParallelGroup = "writer")
  public void add() {
    int n = added++;
    ring.add(n, n, n, n, n, n, n);
  }

  /** Returns whether the copy is intact; a sequential run always returns true. */
  @Operation
  public boolean copyIsIntact() {
    long end = ring.written();
    EventCopy copy = ring.copy(end);
    for (int i = copy.from(); i < copy.to(); i++) {
      long expected = end - copy.to() + i;
      if (copy.address(i) != expected
          || copy.bytes(i) != expected
          || copy.nanos(i) != expected
          || copy.context(i) != expected
          || copy.pool(i) != expected
          || copy.stream(i) != expected
          || copy.action(i) != expected) {
        return false;
      }
    }
    return true;
  }

  @Test
  void copiesHoldOnlyCompleteEvents() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(4)
        .actorsBefore(2)
        .actorsAfter(1)
        .iterations(6)
        .invocationsPerIteration(300)
        .check(EventRingModelTest.class);
  }
}
