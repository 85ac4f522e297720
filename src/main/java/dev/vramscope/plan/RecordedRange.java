package dev.vramscope.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * The values that recordings span. Parameters that rise together in all recordings cannot be told
 * apart; values between recorded ones are those inside of the convex hull.
 */
final class RecordedRange {
  private static final double SINGULAR = 1e-9;

  /** Tolerance, as a part of the range of each parameter. */
  private static final double INSIDE = 1e-3;

  private static final int ROUNDS = 2_000;

  private RecordedRange() {}

  /**
   * Refuses recordings that do not separate the parameters.
   *
   * @param varying the parameters that differ
   */
  static void requireSeparate(List<SizedRecording> recordings, List<String> varying)
      throws PlanRefusedException {
    if (rank(recordings, varying) > varying.size()) {
      return;
    }
    List<String> together = together(recordings, varying);
    ParameterValues first = recordings.getFirst().values();
    String changed = together.getFirst();
    long other =
        recordings.stream()
            .mapToLong(recording -> recording.values().get(changed))
            .filter(value -> value != first.get(changed))
            .findFirst()
            .orElseThrow();
    throw new PlanRefusedException(
        String.join(" and ", together)
            + " vary together: the recordings do not show with which of them memory grows.",
        "Add a recording in which only one of them changes, such as "
            + first.with(changed, other).text()
            + ".");
  }

  /** The first two that vary together, or all if only more do. */
  private static List<String> together(List<SizedRecording> recordings, List<String> varying) {
    for (int i = 0; i < varying.size(); i++) {
      for (int j = i + 1; j < varying.size(); j++) {
        List<String> pair = List.of(varying.get(i), varying.get(j));
        if (rank(recordings, pair) <= 2) {
          return pair;
        }
      }
    }
    return varying;
  }

  /**
   * The rank of the values in rows that begin with 1: one more than the dimensions that are
   * spanned.
   */
  private static int rank(List<SizedRecording> recordings, List<String> names) {
    List<double[]> rows = new ArrayList<>();
    for (double[] point : scaled(recordings, names)) {
      double[] row = new double[point.length + 1];
      row[0] = 1;
      System.arraycopy(point, 0, row, 1, point.length);
      rows.add(row);
    }
    int rank = 0;
    for (int column = 0; column <= names.size(); column++) {
      double[] pivot = null;
      for (double[] row : rows) {
        if (pivot == null || Math.abs(row[column]) > Math.abs(pivot[column])) {
          pivot = row;
        }
      }
      if (pivot == null || Math.abs(pivot[column]) < SINGULAR) {
        continue;
      }
      rank++;
      rows.remove(pivot);
      for (double[] row : rows) {
        double factor = row[column] / pivot[column];
        for (int i = 0; i < row.length; i++) {
          row[i] -= factor * pivot[i];
        }
      }
    }
    return rank;
  }

  private static List<double[]> scaled(List<SizedRecording> recordings, List<String> names) {
    return recordings.stream()
        .map(recording -> scaled(recordings, names, recording.values()))
        .toList();
  }

  /** From 0 at the smallest recorded value to 1 at the largest. */
  private static double[] scaled(
      List<SizedRecording> recordings, List<String> names, ParameterValues values) {
    double[] point = new double[names.size()];
    for (int i = 0; i < point.length; i++) {
      String name = names.get(i);
      long least = Long.MAX_VALUE;
      long most = 0;
      for (SizedRecording recording : recordings) {
        least = Math.min(least, recording.values().get(name));
        most = Math.max(most, recording.values().get(name));
      }
      point[i] = (double) (values.get(name) - least) / Math.max(1, most - least);
    }
    return point;
  }

  /**
   * Whether values lie between recorded ones: they are a weighted mean of them. The weights are
   * found by moving towards the recording that brings the mean nearer (Frank and Wolfe).
   */
  static boolean contains(Plan plan, ParameterValues askedValues) {
    List<double[]> corners = scaled(plan.recordings(), plan.varying());
    double[] target = scaled(plan.recordings(), plan.varying(), askedValues);
    double[] mean = corners.getFirst().clone();
    for (int round = 0; round < ROUNDS; round++) {
      double[] best = corners.getFirst();
      for (double[] corner : corners) {
        best = towards(mean, corner, target) > towards(mean, best, target) ? corner : best;
      }
      double length = 0;
      for (int i = 0; i < mean.length; i++) {
        length += (best[i] - mean[i]) * (best[i] - mean[i]);
      }
      double step = length == 0 ? 0 : Math.min(1, towards(mean, best, target) / length);
      if (step <= 0) {
        break;
      }
      for (int i = 0; i < mean.length; i++) {
        mean[i] += step * (best[i] - mean[i]);
      }
    }
    double distance = 0;
    for (int i = 0; i < mean.length; i++) {
      distance = Math.max(distance, Math.abs(mean[i] - target[i]));
    }
    return distance <= INSIDE;
  }

  /** How far a step from the mean to a corner goes towards the target. */
  private static double towards(double[] mean, double[] corner, double[] target) {
    double product = 0;
    for (int i = 0; i < mean.length; i++) {
      product += (corner[i] - mean[i]) * (target[i] - mean[i]);
    }
    return product;
  }
}
