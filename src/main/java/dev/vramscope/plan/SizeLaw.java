package dev.vramscope.plan;

import java.util.List;

/**
 * The requested bytes of an allocation as a function of the parameters: a sum of products.
 *
 * @param coefficients of the terms
 * @param residualBytes the most that it differs from a recorded size
 * @param isAmbiguous whether another law of as few terms gives the same recorded sizes
 * @param mostBytes it never gives more
 */
record SizeLaw(
    List<Monomial> terms,
    List<Double> coefficients,
    Basis basis,
    long residualBytes,
    boolean isAmbiguous,
    long mostBytes) {
  /** 1 EiB fails on every device. */
  static final long UNBOUNDED = 1L << 60;

  /** How a law was found. */
  enum Basis {
    /** The size is the same in all recordings. */
    CONSTANT,
    /** Exact in more recordings than the law has terms. */
    CHECKED,
    /** Exact, with as many terms as recordings: nothing shows whether another law is right. */
    UNCHECKED,
    /**
     * Memory that a kernel uses for itself: it grows until the kernel has as many threads as fill
     * the GPU.
     */
    WORKSPACE,
    /** The best approximation; the residual says how good. */
    APPROXIMATE,
    /** The recordings do not determine it; the law is that of other allocations. */
    ASSUMED
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
    return Math.round(Math.min((double) mostBytes, Math.max(1, sum)));
  }

  /** The same law for an allocation of which the recordings show less. */
  SizeLaw with(Basis other) {
    return new SizeLaw(terms, coefficients, other, residualBytes, isAmbiguous, mostBytes);
  }

  /** The same law up to a size. */
  SizeLaw atMost(long most) {
    return new SizeLaw(terms, coefficients, basis, residualBytes, isAmbiguous, most);
  }

  /** Whether a term takes bytes away, which no product of dimensions does. */
  boolean isNegative() {
    return coefficients.stream().anyMatch(coefficient -> coefficient < 0);
  }

  /** Whether a part of the size falls as a value rises. */
  boolean isFalling() {
    for (int i = 0; i < terms.size(); i++) {
      if (coefficients.get(i) < 0 && !terms.get(i).isConstant()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a term contains a parameter. */
  boolean dependsOn(int parameter) {
    for (int i = 0; i < terms.size(); i++) {
      if (coefficients.get(i) != 0 && terms.get(i).exponents().get(parameter) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether the recordings determine the law. */
  boolean isDetermined() {
    return basis != Basis.ASSUMED && basis != Basis.WORKSPACE && !isAmbiguous;
  }
}
