package dev.vramscope.analysis.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RangeExtremesTest {
  @Test
  void agreesWithALinearSearch() {
    for (long seed = 0; seed < 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long[] series = random.longs(1 + random.nextInt(6000), 0, 50).toArray();
      RangeExtremes extremes = new RangeExtremes(series);
      for (int i = 0; i < 200; i++) {
        int from = random.nextInt(series.length);
        int to = from + 1 + random.nextInt(series.length - from);
        long max = Arrays.stream(series, from, to).max().orElseThrow();
        assertThat(extremes.max(from, to)).as("seed %d", seed).isEqualTo(max);
        assertThat(extremes.min(from, to))
            .as("seed %d", seed)
            .isEqualTo(Arrays.stream(series, from, to).min().orElseThrow());
        int first = from;
        while (series[first] != max) {
          first++;
        }
        assertThat(extremes.firstMax(from, to)).as("seed %d", seed).isEqualTo(first);
      }
    }
  }
}
