package dev.vramscope.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A product of powers of parameters, such as batch · length².
 *
 * @param exponents by parameter
 */
record Monomial(List<Integer> exponents) {
  private static final int MOST_OF_ONE = 2;
  private static final int MOST_TOGETHER = 3;

  Monomial {
    exponents = List.copyOf(exponents);
  }

  /** The products up to the square of each parameter, the simplest first. */
  static List<Monomial> of(int parameters) {
    List<Monomial> monomials = new ArrayList<>();
    add(new ArrayList<>(), parameters, monomials);
    monomials.sort(Comparator.comparingInt(Monomial::degree).thenComparingInt(Monomial::highest));
    return monomials;
  }

  private static void add(List<Integer> prefix, int parameters, List<Monomial> monomials) {
    if (prefix.size() == parameters) {
      monomials.add(new Monomial(prefix));
      return;
    }
    int used = prefix.stream().mapToInt(Integer::intValue).sum();
    for (int exponent = 0; exponent <= Math.min(MOST_OF_ONE, MOST_TOGETHER - used); exponent++) {
      List<Integer> longer = new ArrayList<>(prefix);
      longer.add(exponent);
      add(longer, parameters, monomials);
    }
  }

  int degree() {
    return exponents.stream().mapToInt(Integer::intValue).sum();
  }

  private int highest() {
    return exponents.stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  boolean isConstant() {
    return degree() == 0;
  }

  /** The product for these values of the parameters. */
  double at(double[] values) {
    double product = 1;
    for (int i = 0; i < values.length; i++) {
      for (int times = 0; times < exponents.get(i); times++) {
        product *= values[i];
      }
    }
    return product;
  }

  /** Such as {@code batch × length²}; 1 for the constant. */
  String label(List<String> names) {
    List<String> factors = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (exponents.get(i) > 0) {
        factors.add(names.get(i) + (exponents.get(i) == 2 ? "²" : ""));
      }
    }
    return factors.isEmpty() ? "1" : String.join(" × ", factors);
  }
}
