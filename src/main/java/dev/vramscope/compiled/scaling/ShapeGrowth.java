package dev.vramscope.compiled.scaling;

import java.util.List;

/**
 * How the bytes of an array grow with the parameter, from its dimensions.
 *
 * @param power dimensions that are a multiple of the value: 2 for the scores of attention, which
 *     have two dimensions of the length
 * @param shifted sizes of dimensions that the value is added to, such as the length less one; as
 *     they are in the program of {@code value}
 * @param value of the program that the array is in
 */
record ShapeGrowth(int power, List<Long> shifted, long value) {
  ShapeGrowth {
    shifted = List.copyOf(shifted);
  }

  static ShapeGrowth none(long value) {
    return new ShapeGrowth(0, List.of(), value);
  }

  static ShapeGrowth linear(long value) {
    return new ShapeGrowth(1, List.of(), value);
  }

  int degree() {
    return power + shifted.size();
  }

  /** The bytes at another value as a multiple of those in the program. */
  double factor(double other) {
    double factor = Math.pow(other / value, power);
    for (long size : shifted) {
      factor *= Math.max(0, size + other - value) / size;
    }
    return factor;
  }
}
