package dev.vramscope.analysis.summary;

import dev.vramscope.model.PoolKind;
import java.util.HashMap;
import java.util.Map;

/** Counters by the flat keys of {@code torch.cuda.memory_stats()}. */
final class Counters {
  private final Map<String, Long> values = new HashMap<>();

  /**
   * Adds a metric for all pools, the small and the large pool; {@code suffix} is, for example,
   * {@code .current}.
   */
  void put(String metric, String suffix, long small, long large) {
    values.put(metric + ".all" + suffix, small + large);
    values.put(metric + "." + pool(PoolKind.SMALL) + suffix, small);
    values.put(metric + "." + pool(PoolKind.LARGE) + suffix, large);
  }

  void put(String key, long value) {
    values.put(key, value);
  }

  boolean hasValue(String key, long value) {
    Long counter = values.get(key);
    return counter != null && counter == value;
  }

  Map<String, Long> values() {
    return values;
  }

  static String pool(PoolKind kind) {
    return kind == PoolKind.SMALL ? "small_pool" : "large_pool";
  }
}
