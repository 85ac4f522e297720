package dev.vramscope.allocator.caching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ByStreamTest {
  private final ByStream<String> values = new ByStream<>();

  @Test
  void streamsWithoutAValueHaveNone() {
    assertThat(values.get(0)).isNull();
    assertThat(values.get(65_535)).isNull();
    assertThat(values.streams()).isEmpty();
  }

  @Test
  void streamsAreAscending() {
    for (int stream : new int[] {65_535, 0, 512, 7}) {
      values.add(stream, "stream " + stream);
    }
    assertThat(values.streams()).containsExactly(0, 7, 512, 65_535);
    assertThat(values.require(512)).isEqualTo("stream 512");
  }

  @Test
  void behavesLikeASortedMap() {
    SplittableRandom random = new SplittableRandom(1);
    TreeMap<Integer, String> expected = new TreeMap<>();
    for (int i = 0; i < 20_000; i++) {
      // Multiples of a power of two collide in a table that uses the low bits.
      int stream = random.nextInt(2) == 0 ? random.nextInt(64) : 1024 * random.nextInt(64);
      assertThat(values.get(stream)).isEqualTo(expected.get(stream));
      if (!expected.containsKey(stream)) {
        values.add(stream, "value " + i);
        expected.put(stream, "value " + i);
      }
      if (random.nextInt(200) == 0) {
        int last = random.nextInt(10);
        values.removeIf(value -> value.endsWith("" + last));
        expected.values().removeIf(value -> value.endsWith("" + last));
        assertThat(values.streams())
            .containsExactly(expected.keySet().stream().mapToInt(each -> each).toArray());
      }
    }
  }
}
