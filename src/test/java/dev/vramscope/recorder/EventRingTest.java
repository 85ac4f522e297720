package dev.vramscope.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventRingTest {
  @ParameterizedTest
  @CsvSource({
    "1, 0",
    "1, 1",
    "1, 5",
    "3, 3",
    "100, 99",
    "100, 250",
    "16384, 40000",
    "40000, 90000"
  })
  void keepsTheLastEventsAndCountsOverwrittenOnes(int capacity, int written) {
    EventRing ring = new EventRing(capacity);
    for (int i = 0; i < written; i++) {
      add(ring, i);
    }

    EventCopy copy = ring.copy(ring.written());

    int held = Math.min(capacity, written);
    assertThat(copy.to() - copy.from()).isEqualTo(held);
    assertThat(copy.overwrittenCount()).isEqualTo(written - held);
    for (int i = 0; i < held; i++) {
      assertEvent(copy, copy.from() + i, written - held + i);
    }
  }

  @Test
  void fieldsKeepTheirFullRange() {
    EventRing ring = new EventRing(4);
    ring.add(9, -1, Long.MAX_VALUE, 0xffff, Integer.MAX_VALUE, Integer.MIN_VALUE, -5);

    EventCopy copy = ring.copy(1);

    assertThat(copy.action(0)).isEqualTo(9);
    assertThat(copy.address(0)).isEqualTo(-1);
    assertThat(copy.bytes(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(copy.stream(0)).isEqualTo(0xffff);
    assertThat(copy.pool(0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(copy.context(0)).isEqualTo(Integer.MIN_VALUE);
    assertThat(copy.nanos(0)).isEqualTo(-5);
  }

  @Test
  void copyEndsBeforeTheGivenEvent() {
    EventRing ring = new EventRing(10);
    for (int i = 0; i < 15; i++) {
      add(ring, i);
    }

    EventCopy copy = ring.copy(12);

    // 15 were written, so 0 to 4 are overwritten.
    assertThat(copy.to() - copy.from()).isEqualTo(7);
    assertEvent(copy, copy.from(), 5);
    assertEvent(copy, copy.to() - 1, 11);
  }

  @Test
  void clearedEventsAreNeitherCopiedNorCounted() {
    EventRing ring = new EventRing(10);
    for (int i = 0; i < 25; i++) {
      add(ring, i);
    }
    ring.clear();
    add(ring, 25);

    EventCopy copy = ring.copy(ring.written());

    assertThat(copy.to() - copy.from()).isEqualTo(1);
    assertThat(copy.overwrittenCount()).isZero();
    assertEvent(copy, copy.from(), 25);
  }

  @Test
  @Timeout(60) // only turns a hang into a failure
  void concurrentCopyHasNoTornEvents() throws InterruptedException {
    EventRing ring = new EventRing(64);
    AtomicBoolean stop = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              for (long i = 0; !stop.get(); i++) {
                add(ring, i);
              }
            });
    writer.start();
    long checked = 0;
    try {
      // The first rounds may come before the first event of the writer.
      for (int round = 0; round < 20_000 || checked < 10_000; round++) {
        long end = ring.written();
        EventCopy copy = ring.copy(end);
        for (int event = copy.from(); event < copy.to(); event++) {
          assertEvent(copy, event, end - (copy.to() - event));
          checked++;
        }
      }
    } finally {
      stop.set(true);
      writer.join();
    }
  }

  private static void add(EventRing ring, long number) {
    int low = (int) number;
    ring.add(low & 7, number, number * 3, low & 0xffff, low & 0xff, low, -number);
  }

  private static void assertEvent(EventCopy copy, int event, long number) {
    int low = (int) number;
    if (copy.address(event) != number
        || copy.bytes(event) != number * 3
        || copy.nanos(event) != -number
        || copy.context(event) != low
        || copy.pool(event) != (low & 0xff)
        || copy.stream(event) != (low & 0xffff)
        || copy.action(event) != (low & 7)) {
      throw new AssertionError("event " + number + " reads as " + copy.address(event));
    }
  }
}
