package dev.vramscope.plan;

import java.util.List;

/**
 * The requested bytes of an allocation as a function of the parameters: a sum of products.
 *
 * @param coefficients of the terms
 * @param residualBytes the most that it differs from a recorded size
 * @param isAmbiguous whether another law of as few terms gives the same recorded sizes
 */
record SizeLaw(
    List<Monomial> terms,
    List<Double> coefficients,
    Basis basis,
    long residualBytes,
    boolean isAmbiguous) {
  /** 1 EiB fails on every device. */
  private static final double MOST_BYTES = 1L << 60;

  /** How a law was found. */
  enum Basis {
    /** The size is the same in all recordings. */
    CONSTANT,
    /** Exact in more recordings than the law has terms. */
    CHECKED,
    /** Exact, with as many terms as recordings: nothing shows whether another law is right. */
    UNCHECKED,
    /** The best approximation; the residual says how good. */
    APPROXIMATE,
    /** Recorded once only; the law is that of other allocations of the same size. */
    BY_SIZE,
    /** Recorded once only; the size is taken as constant. */
    UNKNOWN
  }

  SizeLaw {
    terms = List.copyOf(terms);
    coefficients = List.copyOf(coefficients);
  }

  /** The size for these values of the parameters; at least 1. */
  long at(double[] values) {
    double sum = 0;
    for (int i = 0; i < terms.size(); i++) {
      sum += coefficients.get(i) * terms.get(i).at(values);
    }
    return Math.round(Math.min(MOST_BYTES, Math.max(1, sum)));
  }

  /** The same law for an allocation that was recorded once. */
  SizeLaw bySize() {
    return new SizeLaw(terms, coefficients, Basis.BY_SIZE, residualBytes, isAmbiguous);
  }
}
