package dev.vramscope.live.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FeedRingTest {
  @Test
  void storesAllFieldsOfAnEvent() {
    FeedRing ring = new FeedRing(8);
    ring.add(7, 0x7fff_0000_0200L, 1L << 61, -5, 0xffff, 0xfffff, 0xfffff, 1L << 40);

    assertThat(ring.end()).isOne();
    assertThat(ring.kind(0)).isEqualTo(7);
    assertThat(ring.address(0)).isEqualTo(0x7fff_0000_0200L);
    assertThat(ring.bytes(0)).isEqualTo(1L << 61);
    assertThat(ring.extra(0)).isEqualTo(-5);
    assertThat(ring.stream(0)).isEqualTo(0xffff);
    assertThat(ring.pool(0)).isEqualTo(0xfffff);
    assertThat(ring.context(0)).isEqualTo(0xfffff);
    assertThat(ring.event(0)).isEqualTo(1L << 40);
  }

  @Test
  void fullRingDropsAndCounts() {
    FeedRing ring = new FeedRing(4);
    for (int i = 0; i < 7; i++) {
      ring.add(0, i, 0, 0, 0, 0, 0, 0);
    }
    assertThat(ring.end()).isEqualTo(4);
    assertThat(ring.droppedCount()).isEqualTo(3);
    ring.removeBefore(2);
    ring.add(0, 7, 0, 0, 0, 0, 0, 0);
    assertThat(ring.address(4)).isEqualTo(7);
    assertThat(ring.droppedCount()).isEqualTo(3);
  }

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void oneThreadAddsWhileAnotherRemoves() throws InterruptedException {
    FeedRing ring = new FeedRing(64);
    int count = 200_000;
    Thread adding =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < count; i++) {
                    ring.add(i & 0x7f, i, 3L * i, 7L * i, i, i, i, 9L * i);
                  }
                });
    long last = -1;
    long taken = 0;
    while (adding.isAlive() || ring.begin() != ring.end()) {
      long end = ring.end();
      for (long number = ring.begin(); number < end; number++) {
        long i = ring.address(number);
        assertThat(i).isGreaterThan(last);
        assertThat(ring.bytes(number)).isEqualTo(3 * i);
        assertThat(ring.extra(number)).isEqualTo(7 * i);
        assertThat(ring.event(number)).isEqualTo(9 * i);
        assertThat(ring.kind(number)).isEqualTo((int) i & 0x7f);
        last = i;
        taken++;
      }
      ring.removeBefore(end);
    }
    adding.join();
    assertThat(taken + ring.droppedCount()).isEqualTo(count);
  }
}
