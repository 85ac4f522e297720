package dev.vramscope.analysis.segments;

import java.util.function.IntUnaryOperator;

/** Sorts by pixel column, in linear time. */
final class ByColumn {
  private ByColumn() {}

  /** The numbers 0 to {@code count} in order of their columns, which are 0 to {@code width}. */
  static int[] order(int count, IntUnaryOperator column, int width) {
    int[] next = new int[width + 2];
    for (int i = 0; i < count; i++) {
      next[column.applyAsInt(i) + 1]++;
    }
    for (int at = 1; at < next.length; at++) {
      next[at] += next[at - 1];
    }
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[next[column.applyAsInt(i)]++] = i;
    }
    return order;
  }
}
