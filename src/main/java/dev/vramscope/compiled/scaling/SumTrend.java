package dev.vramscope.compiled.scaling;

import org.jspecify.annotations.Nullable;

/**
 * A trend of sums, of which only the number of bytes is known: a line, or else a square if more
 * programs confirm it than it has coefficients, or else none.
 *
 * <p>It passes through the stated bytes: between two programs, their differences from the law are
 * interpolated; beyond them, that of the nearest is kept. How far it may be off is what it differs
 * from stated bytes, and, as a part of the growth from the nearest program, what the growth up to
 * the largest program differs from a prediction by the smaller ones.
 */
final class SumTrend implements UseTrend {
  /** XLA rounds each buffer up to 64 or 256 bytes; of sixteen buffers. */
  private static final double ROUNDING_BYTES = 4096;

  private static final double ROUNDING_PART = 0.01;

  /** Bytes that do not matter, as a part of the whole program. */
  private static final double NOTABLE_PART = 0.001;

  /** Programs on no line are near one if they differ by less, as a part of the largest bytes. */
  private static final double NEAR_PART = 0.02;

  private final StatedBytes stated;
  private final Basis basis;
  private final @Nullable Polynomial law;
  private final double residual;
  private final long heldOut;

  /** What growth may be off, as a part of it. */
  private final double growthPart;

  private SumTrend(StatedBytes stated, Basis basis, @Nullable Polynomial law) {
    this.stated = stated;
    this.basis = basis;
    this.law = law;
    residual = law == null || basis == Basis.SAME ? 0 : law.residual(stated);
    int degree = law == null ? 0 : law.coefficients().length - 1;
    if (law == null || degree == 0 || stated.count() < degree + 2) {
      heldOut = basis == Basis.SAME ? 0 : -1;
      growthPart = 0;
    } else {
      double off =
          Polynomial.nearest(stated.withoutLast(), degree).difference(stated, stated.last());
      double growth = stated.bytes(stated.last()) - stated.bytes(stated.last() - 1);
      heldOut = Math.round(Math.abs(off));
      growthPart = Math.min(1, Math.abs(off) / Math.max(1, Math.abs(growth)));
    }
  }

  /**
   * The trend of some sums.
   *
   * @param programBytes of the largest program
   */
  static SumTrend of(StatedBytes stated, long programBytes) {
    if (stated.isSame()) {
      return new SumTrend(stated, Basis.SAME, Polynomial.nearest(stated, 0));
    }
    Polynomial line = Polynomial.nearest(stated, 1);
    if (stated.count() == 2) {
      return new SumTrend(stated, Basis.ASSUMED_LINE, line);
    }
    double rounding = Math.min(ROUNDING_BYTES, ROUNDING_PART * stated.largest());
    if (line.residual(stated) <= rounding) {
      return new SumTrend(stated, Basis.LINE, line);
    }
    if (line.residual(stated) <= NOTABLE_PART * programBytes) {
      return new SumTrend(stated, Basis.NEAR_LINE, line);
    }
    if (stated.count() > 3) {
      Polynomial square = Polynomial.nearest(stated, 2);
      if (!square.isFalling() && square.residual(stated) <= rounding) {
        return new SumTrend(stated, Basis.SQUARE, square);
      }
      if (line.residual(stated) <= NEAR_PART * stated.largest()) {
        return new SumTrend(stated, Basis.NEAR_LINE, line);
      }
    }
    return new SumTrend(stated, Basis.NONE, /* law= */ null);
  }

  @Override
  public ByteEstimate at(long value) {
    int program = stated.programOf(value);
    if (program >= 0) {
      return ByteEstimate.exactly(stated.bytes().get(program));
    }
    return law == null ? withoutLaw(value) : ofLaw(law, value);
  }

  private ByteEstimate ofLaw(Polynomial polynomial, long value) {
    double difference;
    double nearest;
    if (stated.isBetween(value)) {
      int below = stated.below(value);
      double part = stated.part(below, value);
      difference =
          (1 - part) * polynomial.difference(stated, below)
              + part * polynomial.difference(stated, below + 1);
      nearest = stated.bytes(part < 0.5 ? below : below + 1);
    } else {
      int end = stated.below(value) < 0 ? 0 : stated.last();
      difference = polynomial.difference(stated, end);
      nearest = stated.bytes(end);
    }
    double likely = polynomial.at((double) value) + difference;
    return ByteEstimate.around(likely, residual + growthPart * Math.abs(likely - nearest));
  }

  /**
   * Between two programs: what they have. Beyond: from the line with the least slope between two of
   * them to the square through the three nearest.
   */
  private ByteEstimate withoutLaw(long value) {
    if (stated.isBetween(value)) {
      int below = stated.below(value);
      return ByteEstimate.between(stated.bytes(below), stated.bytes(below + 1));
    }
    if (stated.below(value) < 0) {
      return ByteEstimate.between(0, stated.bytes(0));
    }
    int last = stated.last();
    double leastSlope = Double.MAX_VALUE;
    double mostSlope = 0;
    for (int program = 1; program <= last; program++) {
      leastSlope = Math.min(leastSlope, slope(program));
      mostSlope = Math.max(mostSlope, slope(program));
    }
    double bend = (slope(last) - slope(last - 1)) / (stated.value(last) - stated.value(last - 2));
    double beyond = value - stated.value(last);
    double square =
        slope(last) * beyond + Math.max(0, bend) * beyond * (value - stated.value(last - 1));
    return ByteEstimate.between(
        stated.bytes(last) + Math.max(0, leastSlope) * beyond,
        stated.bytes(last) + Math.max(mostSlope * beyond, square));
  }

  /** From the program before. */
  private double slope(int program) {
    return (stated.bytes(program) - stated.bytes(program - 1))
        / (stated.value(program) - stated.value(program - 1));
  }

  @Override
  public Basis basis() {
    return basis;
  }

  @Override
  public long residualBytes() {
    return Math.round(residual);
  }

  @Override
  public long heldOutBytes() {
    return heldOut;
  }

  @Override
  public double partByDoubling() {
    return 0;
  }
}
