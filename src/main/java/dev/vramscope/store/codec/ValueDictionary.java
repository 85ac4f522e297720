package dev.vramscope.store.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers distinct values in the order of their first occurrence. Not thread-safe. */
final class ValueDictionary<T> {
  private final Map<T, Integer> numbers = new HashMap<>();
  private final List<T> values = new ArrayList<>();
  private @Nullable T last;
  private int lastNumber;

  /** The number of a value, which is added if it is new. Fast for repetitions of one value. */
  int numberOf(T value) {
    if (!value.equals(last)) {
      last = value;
      lastNumber = numbers.computeIfAbsent(value, this::add);
    }
    return lastNumber;
  }

  /** The values in the order of their numbers. */
  List<T> values() {
    return values;
  }

  private Integer add(T value) {
    values.add(value);
    return values.size() - 1;
  }
}
