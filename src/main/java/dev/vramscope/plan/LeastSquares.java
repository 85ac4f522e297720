package dev.vramscope.plan;

import org.jspecify.annotations.Nullable;

/** Least squares of few unknowns by Householder reflections. */
final class LeastSquares {
  private static final double SINGULAR = 1e-9;

  private LeastSquares() {}

  /**
   * The unknowns for which the rows give the values best.
   *
   * @param rows at least as many as unknowns, each with numbers up to about 1
   * @return null if the rows do not determine the unknowns
   */
  static double @Nullable [] solve(double[][] rows, long[] values) {
    int unknowns = rows[0].length;
    double[][] a = new double[rows.length][];
    double[] b = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      a[i] = rows[i].clone();
      b[i] = values[i];
    }
    for (int column = 0; column < unknowns; column++) {
      if (!reflect(a, b, column)) {
        return null;
      }
    }
    double[] solved = new double[unknowns];
    for (int column = unknowns - 1; column >= 0; column--) {
      double rest = b[column];
      for (int later = column + 1; later < unknowns; later++) {
        rest -= a[column][later] * solved[later];
      }
      solved[column] = rest / a[column][column];
    }
    return solved;
  }

  /** Makes a column zero below the diagonal. */
  private static boolean reflect(double[][] a, double[] b, int column) {
    double square = 0;
    for (int i = column; i < a.length; i++) {
      square += a[i][column] * a[i][column];
    }
    double norm = Math.sqrt(square);
    if (norm < SINGULAR) {
      return false;
    }
    double diagonal = a[column][column] > 0 ? -norm : norm;
    double[] normal = new double[a.length];
    for (int i = column; i < a.length; i++) {
      normal[i] = a[i][column];
    }
    normal[column] -= diagonal;
    double length = 0;
    for (double part : normal) {
      length += part * part;
    }
    for (int other = column; other < a[0].length; other++) {
      double dot = 0;
      for (int i = column; i < a.length; i++) {
        dot += normal[i] * a[i][other];
      }
      for (int i = column; i < a.length; i++) {
        a[i][other] -= 2 * dot / length * normal[i];
      }
    }
    double dot = 0;
    for (int i = column; i < a.length; i++) {
      dot += normal[i] * b[i];
    }
    for (int i = column; i < a.length; i++) {
      b[i] -= 2 * dot / length * normal[i];
    }
    return true;
  }
}
