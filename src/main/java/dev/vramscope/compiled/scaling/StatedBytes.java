package dev.vramscope.compiled.scaling;

import java.util.List;

/**
 * Bytes of one use in the programs, by ascending value.
 *
 * @param values all different
 * @param bytes as the texts of the programs state them
 */
record StatedBytes(List<Long> values, List<Long> bytes) {
  StatedBytes {
    values = List.copyOf(values);
    bytes = List.copyOf(bytes);
  }

  int count() {
    return values.size();
  }

  double value(int program) {
    return values.get(program);
  }

  double bytes(int program) {
    return bytes.get(program);
  }

  int last() {
    return count() - 1;
  }

  boolean isSame() {
    return bytes.stream().distinct().count() == 1;
  }

  double largest() {
    return bytes.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** The program of this value, or -1. */
  int programOf(long value) {
    return values.indexOf(value);
  }

  /** The last program with a smaller value; -1 if there is none. */
  int below(long value) {
    int below = -1;
    while (below < last() && values.get(below + 1) < value) {
      below++;
    }
    return below;
  }

  boolean isBetween(long value) {
    return value > values.getFirst() && value < values.getLast();
  }

  /** Where a value lies between two programs: 0 at the first of them, 1 at the second. */
  double part(int below, long value) {
    return (value - value(below)) / (value(below + 1) - value(below));
  }

  /** The same without the program with the largest value. */
  StatedBytes withoutLast() {
    return new StatedBytes(values.subList(0, last()), bytes.subList(0, last()));
  }
}
