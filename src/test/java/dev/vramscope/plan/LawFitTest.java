package dev.vramscope.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.plan.SizeLaw.Basis;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LawFitTest {
  private static SizeLaw fit(String values, String bytes) {
    return new LawFit(numbers(values).mapToObj(value -> new double[] {value}).toList())
        .of(numbers(bytes).toArray());
  }

  private static java.util.stream.LongStream numbers(String text) {
    return Arrays.stream(text.split(" ")).mapToLong(Long::parseLong);
  }

  private static List<String> terms(SizeLaw law, String... names) {
    return law.terms().stream().map(term -> term.label(List.of(names))).toList();
  }

  @ParameterizedTest
  @CsvSource({
    // values | bytes | law | basis | asked | planned
    "2 3, 4096 4096, 1, CONSTANT, 100, 4096",
    "2 3, 8388608 12582912, x, CHECKED, 12, 50331648",
    "512 640, 33554432 52428800, x², CHECKED, 1536, 301989888",
    // Two values cannot tell whether there is a constant part.
    "2 3, 1000000 1400000, 1 x, UNCHECKED, 12, 5000000",
    // Three can: 1,000 + 500 x.
    "2 3 5, 2000 2500 3500, 1 x, CHECKED, 9, 5500",
    "1 2 4, 107 114 128, 1 x, CHECKED, 8, 156",
    // x² + 10 x.
    "10 20 40, 200 600 2000, x x², CHECKED, 80, 7200",
    // 7 + 5 x + 3 x² in three values is not checked, in four it is.
    "1 2 3, 15000 29000 49000, 1 x x², UNCHECKED, 10, 357000",
    "1 2 3 4, 15000 29000 49000 75000, 1 x x², CHECKED, 10, 357000",
  })
  void fewestTermsThatAreExact(
      String values, String bytes, String law, Basis basis, long asked, long planned) {
    SizeLaw fitted = fit(values, bytes);
    assertThat(String.join(" ", terms(fitted, "x"))).isEqualTo(law);
    assertThat(fitted.basis()).isEqualTo(basis);
    assertThat(fitted.at(new double[] {asked})).isEqualTo(planned);
    assertThat(fitted.residualBytes()).isZero();
  }

  @Test
  void paddedSizesAreApproximatedWithinTheirResidual() {
    // 1,000,003 x, padded to multiples of 512.
    SizeLaw fitted = fit("2 3 8", "2000384 3000320 8000512");
    assertThat(terms(fitted, "x")).containsExactly("x");
    assertThat(fitted.basis()).isEqualTo(Basis.APPROXIMATE);
    assertThat(fitted.residualBytes()).isBetween(1L, 512L);
    assertThat(fitted.at(new double[] {20})).isBetween(20_000_060L - 2048, 20_000_060L + 2048);
  }

  @Test
  void sizesWithoutALawHaveALargeResidual() {
    SizeLaw fitted = fit("1 2 3 4", "1000000 9000000 2000000 8000000");
    assertThat(fitted.basis()).isEqualTo(Basis.APPROXIMATE);
    assertThat(fitted.residualBytes()).isGreaterThan(1_000_000);
  }

  @Test
  void aSizeIsNeverNegative() {
    SizeLaw shrinking = fit("10 20 30", "3000 2000 1000");
    assertThat(shrinking.at(new double[] {1000})).isEqualTo(1);
    assertThat(shrinking.isNegative()).isTrue();
  }

  @Test
  void productsOfTwoParameters() {
    LawFit fit =
        new LawFit(
            List.of(
                new double[] {1, 256},
                new double[] {2, 256},
                new double[] {1, 512},
                new double[] {2, 512}));
    SizeLaw tokens = fit.of(new long[] {2048, 4096, 4096, 8192});
    assertThat(terms(tokens, "batch", "length")).containsExactly("batch × length");
    assertThat(tokens.isDetermined()).isTrue();
    SizeLaw scores = fit.of(new long[] {4 << 20, 8 << 20, 16 << 20, 32 << 20});
    assertThat(terms(scores, "batch", "length")).containsExactly("batch × length²");
    assertThat(scores.at(new double[] {4, 1024})).isEqualTo(256 << 20);
    SizeLaw mask = fit.of(new long[] {65536, 65536, 262144, 262144});
    assertThat(terms(mask, "batch", "length")).containsExactly("length²");
  }

  @Test
  void parametersThatGrowTogetherAreNotToldApart() {
    LawFit fit = new LawFit(List.of(new double[] {2, 256}, new double[] {4, 512}));
    assertThat(fit.of(new long[] {1000, 2000}).isAmbiguous()).isTrue();
    assertThat(fit.of(new long[] {1000, 1000}).isAmbiguous()).isFalse();
  }

  @Test
  void anyLawOfOneOrTwoTermsIsFoundAgain() {
    Random random = new Random(20261125);
    for (int round = 0; round < 500; round++) {
      List<Monomial> monomials = Monomial.of(2);
      Monomial one = monomials.get(random.nextInt(monomials.size()));
      Monomial other = monomials.get(random.nextInt(monomials.size()));
      long factor = 1L + random.nextInt(100_000);
      long otherFactor = random.nextBoolean() ? 0 : 1L + random.nextInt(100_000);
      double[][] points = {{1, 128}, {2, 128}, {3, 256}, {2, 384}, {5, 256}, {4, 512}};
      long[] bytes =
          Arrays.stream(points)
              .mapToLong(point -> law(one, factor, other, otherFactor, point))
              .toArray();

      SizeLaw fitted = new LawFit(List.of(points)).of(bytes);

      double[] asked = {16, 2048};
      assertThat(fitted.at(asked))
          .as("round %d: %s %d, %s %d", round, one, factor, other, otherFactor)
          .isEqualTo(law(one, factor, other, otherFactor, asked));
    }
  }

  private static long law(
      Monomial one, long factor, Monomial other, long otherFactor, double[] point) {
    return (long) (factor * one.at(point) + otherFactor * other.at(point));
  }
}
