package dev.vramscope.web.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RoundTicksTest {
  private static final long SECOND = 1_000_000;

  @Test
  void stepsAreRound() {
    assertThat(RoundTicks.counts(0, 987_917, 5))
        .containsExactly(0L, 200_000L, 400_000L, 600_000L, 800_000L);
    assertThat(RoundTicks.counts(17, 21, 5)).containsExactly(17L, 18L, 19L, 20L, 21L);
    assertThat(RoundTicks.bytes(0, 70L << 30, 5))
        .containsExactly(0L, 16L << 30, 32L << 30, 48L << 30, 64L << 30);
    assertThat(RoundTicks.micros(0, 30 * SECOND, 5))
        .containsExactly(0L, 10 * SECOND, 20 * SECOND, 30 * SECOND);
    assertThat(RoundTicks.micros(0, 500 * SECOND, 5))
        .containsExactly(0L, 120 * SECOND, 240 * SECOND, 360 * SECOND, 480 * SECOND);
  }

  @Test
  void ticksAreWithinTheRangeAndNotTooMany() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 5000; round++) {
      long low = random.nextLong(1L << random.nextInt(1, 50));
      long high = low + random.nextLong(1L << random.nextInt(1, 50));
      int most = random.nextInt(2, 10);
      for (List<Long> ticks :
          List.of(
              RoundTicks.counts(low, high, most),
              RoundTicks.bytes(low, high, most),
              RoundTicks.micros(low, high, most))) {
        assertThat(ticks).allMatch(tick -> tick >= low && tick <= high).hasSizeBetween(0, most + 1);
      }
    }
  }
}
