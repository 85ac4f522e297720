package dev.vramscope.live.feed;

import dev.vramscope.TestExtent;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * One thread adds and another removes, in the interleavings that Lincheck explores. A ring of two
 * events must behave like a bounded queue: complete events, in order, and an event is dropped only
 * if the ring is full.
 */
public class FeedRingModelTest {
  private final FeedRing ring = new FeedRing(2);
  private int added;

  /** Returns whether the event was added. */
  @Operation(nonParallelGroup = "producer")
  public boolean add() {
    long dropped = ring.droppedCount();
    int n = ++added;
    ring.add(n, n, n, n, n, n, n, n);
    return ring.droppedCount() == dropped;
  }

  /** Returns all fields of the oldest event; an empty list if there is none. */
  @Operation(nonParallelGroup = "consumer")
  public List<Long> take() {
    long number = ring.begin();
    if (number == ring.end()) {
      return List.of();
    }
    List<Long> event =
        List.of(
            (long) ring.kind(number),
            ring.address(number),
            ring.bytes(number),
            ring.extra(number),
            (long) ring.stream(number),
            (long) ring.pool(number),
            (long) ring.context(number),
            ring.event(number));
    ring.removeBefore(number + 1);
    return event;
  }

  @Test
  void isALinearizableBoundedQueue() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(5)
        .actorsBefore(0)
        .actorsAfter(0)
        .iterations(TestExtent.of(3, 6))
        .invocationsPerIteration(TestExtent.of(150, 300))
        .check(FeedRingModelTest.class);
  }
}
