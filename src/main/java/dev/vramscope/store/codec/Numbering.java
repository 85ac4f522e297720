package dev.vramscope.store.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gives distinct values small numbers in the order in which they are met. Not thread-safe. */
final class Numbering<T> {
  private final Map<T, Integer> numbers = new HashMap<>();
  private final List<T> values = new ArrayList<>();
  private @Nullable T last;
  private int lastNumber;

  /** The value's number; asking for the same one again and again costs nothing. */
  int of(T value) {
    if (!value.equals(last)) {
      last = value;
      lastNumber = numbers.computeIfAbsent(value, this::add);
    }
    return lastNumber;
  }

  /** All values by number. */
  List<T> values() {
    return values;
  }

  private Integer add(T value) {
    values.add(value);
    return values.size() - 1;
  }
}
