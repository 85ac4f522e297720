package dev.vramscope.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LiveBlocksTest {
  private final LiveBlocks live = new LiveBlocks();

  @Test
  void behavesLikeAMap() {
    Map<Long, Long> expected = new HashMap<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 200_000; i++) {
      long id = id(random);
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          long handle = random.nextInt(10) == 0 ? 0 : random.nextLong(1, Long.MAX_VALUE);
          live.put(id, handle);
          expected.put(id, handle);
        }
        case 2 -> assertEquals(expected.getOrDefault(id, 0L), live.get(id));
        default -> {
          Long removed = expected.remove(id);
          assertEquals(removed == null ? 0 : removed, live.remove(id));
        }
      }
    }
    expected.forEach((id, handle) -> assertEquals(handle, live.get(id)));
  }

  /** Dense ids, as in traces, and arbitrary ones. */
  private static long id(SplittableRandom random) {
    return switch (random.nextInt(3)) {
      case 0 -> random.nextInt(20_000);
      case 1 -> (random.nextInt(2_000) - 1_000L) << 40;
      default -> Long.MIN_VALUE + random.nextInt(100);
    };
  }
}
