package dev.vramscope.compiled.scaling;

/**
 * A polynomial in a value as a part of {@code scale}.
 *
 * @param scale the largest value, so that powers are at most 1 where it was fitted
 * @param coefficients by power
 */
@SuppressWarnings("ArrayRecordComponent") // Compared nowhere; computed with in loops.
record Polynomial(double scale, double[] coefficients) {
  private static final double SINGULAR = 1e-12;

  /** The one nearest to the stated bytes by least squares; the degree is below their number. */
  static Polynomial nearest(StatedBytes stated, int degree) {
    double scale = stated.value(stated.last());
    int unknowns = degree + 1;
    double[][] rows = new double[unknowns][unknowns + 1];
    for (int program = 0; program < stated.count(); program++) {
      double part = stated.value(program) / scale;
      for (int row = 0; row < unknowns; row++) {
        for (int column = 0; column < unknowns; column++) {
          rows[row][column] += Math.pow(part, row + column);
        }
        rows[row][unknowns] += Math.pow(part, row) * stated.bytes(program);
      }
    }
    return new Polynomial(scale, solved(rows));
  }

  /** Gauss-Jordan elimination of the normal equations. */
  private static double[] solved(double[][] rows) {
    int unknowns = rows.length;
    for (int column = 0; column < unknowns; column++) {
      int pivot = column;
      for (int row = column + 1; row < unknowns; row++) {
        pivot = Math.abs(rows[row][column]) > Math.abs(rows[pivot][column]) ? row : pivot;
      }
      double[] chosen = rows[pivot];
      rows[pivot] = rows[column];
      rows[column] = chosen;
      if (Math.abs(chosen[column]) < SINGULAR) {
        throw new IllegalArgumentException("values are not different");
      }
      for (int row = 0; row < unknowns; row++) {
        double factor = row == column ? 0 : rows[row][column] / chosen[column];
        for (int i = column; factor != 0 && i <= unknowns; i++) {
          rows[row][i] -= factor * chosen[i];
        }
      }
    }
    double[] solved = new double[unknowns];
    for (int i = 0; i < unknowns; i++) {
      solved[i] = rows[i][unknowns] / rows[i][i];
    }
    return solved;
  }

  double at(double value) {
    double sum = 0;
    for (int power = coefficients.length - 1; power >= 0; power--) {
      sum = sum * (value / scale) + coefficients[power];
    }
    return sum;
  }

  /** Whether it takes bytes away as the value rises, which no product of dimensions does. */
  boolean isFalling() {
    for (int power = 1; power < coefficients.length; power++) {
      if (coefficients[power] < 0) {
        return true;
      }
    }
    return false;
  }

  /** The most by which it differs from the stated bytes. */
  double residual(StatedBytes stated) {
    double most = 0;
    for (int program = 0; program < stated.count(); program++) {
      most = Math.max(most, Math.abs(difference(stated, program)));
    }
    return most;
  }

  /** The stated bytes of a program less what the polynomial gives. */
  double difference(StatedBytes stated, int program) {
    return stated.bytes(program) - at(stated.value(program));
  }
}
