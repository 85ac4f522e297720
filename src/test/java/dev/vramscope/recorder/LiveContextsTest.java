package dev.vramscope.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveContextsTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void behavesLikeAMap(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    LiveContexts contexts = new LiveContexts();
    Map<Long, Integer> plain = new HashMap<>();
    int distinct = random.nextInt(10, 5000);
    for (int step = 0; step < 20_000; step++) {
      long address = 0x7f00_0000_0000L + 512L * random.nextInt(distinct);
      if (random.nextInt(100) < 55) {
        int context = random.nextInt(1, 1000);
        contexts.put(address, context);
        plain.put(address, context);
      } else {
        contexts.remove(address);
        plain.remove(address);
      }
      assertThat(contexts.size()).as("seed %d, step %d", seed, step).isEqualTo(plain.size());
    }
    for (int i = 0; i < distinct; i++) {
      long address = 0x7f00_0000_0000L + 512L * i;
      assertThat(contexts.get(address))
          .as("seed %d, address %x", seed, address)
          .isEqualTo(plain.getOrDefault(address, ContextTree.NONE));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3000})
  void copyIsIndependentOfLaterChanges(int size) {
    LiveContexts contexts = new LiveContexts();
    for (int i = 1; i <= size; i++) {
      contexts.put(512L * i, i);
    }
    LiveContexts copy = contexts.copy();
    for (int i = 1; i <= size; i++) {
      contexts.remove(512L * i);
    }
    contexts.put(-512, 7);

    assertThat(copy.size()).isEqualTo(size);
    assertThat(copy.get(-512)).isEqualTo(ContextTree.NONE);
    for (int i = 1; i <= size; i++) {
      assertThat(copy.get(512L * i)).isEqualTo(i);
    }
  }
}
