package dev.vramscope.plan;

import dev.vramscope.plan.SizeLaw.Basis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the law of recorded sizes. The bytes of a tensor are a product of its dimensions, so most
 * sizes are one product of parameters, which two recordings determine and check:
 *
 * <ol>
 *   <li>The size is the same in all recordings: it is constant.
 *   <li>One, two or three terms that are exact in more recordings than there are terms; the fewest
 *       and simplest terms that are.
 *   <li>The same, not quite exact: sizes are padded.
 *   <li>As many terms as recordings, none of them negative, the simplest: linear with two
 *       recordings.
 *   <li>The terms with the smallest residual.
 * </ol>
 */
final class LawFit {
  private static final int MOST_TERMS = 3;

  /** Relative error of arithmetic with doubles; recorded sizes are whole numbers below 2^53. */
  private static final double EXACT = 1e-9;

  /** Padding to a multiple of 512 bytes, or of some elements of a large tensor. */
  private static final double PADDING_BYTES = 512;

  private static final double PADDING_PART = 0.002;

  /** Small sizes are padded by a larger part. */
  private static final double SMALL_PART = 0.05;

  private final List<double[]> points;
  private final List<List<Monomial>> candidates;

  /**
   * Fits sizes of some recordings.
   *
   * @param points the values of the parameters that differ between the recordings
   */
  LawFit(List<double[]> points) {
    this.points = points;
    candidates = candidates(Monomial.of(points.getFirst().length), points.size());
  }

  /** The combinations of terms, the fewest and simplest first. */
  private static List<List<Monomial>> candidates(List<Monomial> monomials, int recordings) {
    List<List<Monomial>> combinations = new ArrayList<>();
    for (int count = 1; count <= Math.min(MOST_TERMS, recordings); count++) {
      List<List<Monomial>> ofCount = new ArrayList<>();
      combine(monomials, 0, count, new ArrayList<>(), ofCount);
      ofCount.sort(
          Comparator.comparingInt(
                  (List<Monomial> terms) ->
                      terms.stream().mapToInt(Monomial::degree).max().orElse(0))
              .thenComparingInt(terms -> terms.stream().mapToInt(Monomial::degree).sum()));
      combinations.addAll(ofCount);
    }
    return combinations;
  }

  private static void combine(
      List<Monomial> from,
      int next,
      int count,
      List<Monomial> prefix,
      List<List<Monomial>> combinations) {
    if (prefix.size() == count) {
      combinations.add(List.copyOf(prefix));
      return;
    }
    for (int i = next; i < from.size(); i++) {
      prefix.add(from.get(i));
      combine(from, i + 1, count, prefix, combinations);
      prefix.removeLast();
    }
  }

  /** A law with its largest difference from a recorded size. */
  private record Fit(List<Monomial> terms, List<Double> coefficients, double residual) {
    boolean isNegative() {
      return coefficients.stream().anyMatch(coefficient -> coefficient < 0);
    }

    SizeLaw law(Basis basis, boolean isAmbiguous) {
      return new SizeLaw(
          terms, coefficients, basis, Math.round(residual), isAmbiguous, SizeLaw.UNBOUNDED);
    }
  }

  /** The law of a size that is the same in all recordings. */
  static SizeLaw constant(long bytes, int parameters, Basis basis) {
    return new SizeLaw(
        List.of(Monomial.of(parameters).getFirst()),
        List.of((double) bytes),
        basis,
        0,
        /* isAmbiguous= */ false,
        SizeLaw.UNBOUNDED);
  }

  /** The law of the sizes in the recordings, in their order. */
  SizeLaw of(long[] bytes) {
    if (Arrays.stream(bytes).allMatch(size -> size == bytes[0])) {
      return constant(bytes[0], points.getFirst().length, Basis.CONSTANT);
    }
    List<Fit> fits = fits(bytes);
    double largest = Arrays.stream(bytes).max().orElse(1);
    Fit exact = checked(fits.stream(), Math.max(0.5, EXACT * largest));
    if (exact != null) {
      return exact.law(Basis.CHECKED, isAmbiguous(exact, fits, EXACT * largest));
    }
    Fit padded =
        checked(
            fits.stream().filter(fit -> fit.terms.stream().anyMatch(term -> !term.isConstant())),
            Math.max(PADDING_PART * largest, Math.min(PADDING_BYTES, SMALL_PART * largest)));
    if (padded != null) {
      return padded.law(Basis.APPROXIMATE, /* isAmbiguous= */ false);
    }
    for (Fit fit : fits) {
      if (fit.terms.size() == points.size()
          && !fit.isNegative()
          && fit.residual <= Math.max(0.5, EXACT * largest)) {
        return fit.law(Basis.UNCHECKED, /* isAmbiguous= */ false);
      }
    }
    return closest(fits).law(Basis.APPROXIMATE, /* isAmbiguous= */ false);
  }

  /** The simplest of the fits that leave a recording to check them and stay within a residual. */
  private @Nullable Fit checked(Stream<Fit> fits, double residual) {
    Fit negative = null;
    for (Fit fit : fits.toList()) {
      if (fit.terms.size() < points.size() && fit.residual <= residual) {
        if (negative != null && negative.terms.size() < fit.terms.size()) {
          return negative;
        }
        if (!fit.isNegative()) {
          return fit;
        }
        negative = negative == null ? fit : negative;
      }
    }
    return negative;
  }

  private List<Fit> fits(long[] bytes) {
    return candidates.stream().map(terms -> fit(terms, bytes)).filter(Objects::nonNull).toList();
  }

  private static boolean isAmbiguous(Fit best, List<Fit> fits, double residual) {
    return fits.stream()
        .anyMatch(
            fit ->
                !fit.terms.equals(best.terms)
                    && fit.terms.size() == best.terms.size()
                    && fit.residual <= Math.max(0.5, residual));
  }

  /** Fewer terms than recordings where possible, so that the residual says something. */
  private Fit closest(List<Fit> fits) {
    int most = Math.max(2, points.size() - 1);
    return fits.stream()
        .filter(fit -> fit.terms.size() <= most)
        .min(Comparator.comparingDouble(Fit::residual))
        .orElseThrow();
  }

  private @Nullable Fit fit(List<Monomial> terms, long[] bytes) {
    int count = terms.size();
    double[] scales = new double[count];
    double[][] rows = new double[points.size()][count];
    for (int term = 0; term < count; term++) {
      for (int i = 0; i < rows.length; i++) {
        rows[i][term] = terms.get(term).at(points.get(i));
        scales[term] = Math.max(scales[term], rows[i][term]);
      }
      for (double[] row : rows) {
        row[term] /= scales[term];
      }
    }
    double[] solved = LeastSquares.solve(rows, bytes);
    if (solved == null) {
      return null;
    }
    double residual = 0;
    for (int i = 0; i < rows.length; i++) {
      double sum = 0;
      for (int term = 0; term < count; term++) {
        sum += solved[term] * rows[i][term];
      }
      residual = Math.max(residual, Math.abs(sum - bytes[i]));
    }
    for (int term = 0; term < count; term++) {
      solved[term] /= scales[term];
    }
    return new Fit(terms, Arrays.stream(solved).boxed().toList(), residual);
  }
}
