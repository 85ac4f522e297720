package dev.vramscope.web.series;

import dev.vramscope.analysis.series.PlaceSeries;
import dev.vramscope.analysis.series.Series;
import dev.vramscope.analysis.series.SeriesRecording;
import dev.vramscope.web.compare.CompareChart.Tick;
import dev.vramscope.web.display.RoundTicks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Live memory over the recordings as stacked areas, the places with the most memory apart. Paths
 * are in units of {@link #WIDTH} and {@link #HEIGHT}; marks and ticks are percentages, from the
 * left and from the top.
 *
 * @param areas from the bottom
 * @param byteTicks the lines of the grid
 * @param axisTicks steps, or numbers of recordings from 1
 * @param marks one for each recording
 * @param executables a line with a scale of its own; empty if they are not recorded
 * @param mostExecutables the top of this scale
 */
public record SeriesChart(
    List<Area> areas,
    List<Tick> byteTicks,
    List<Tick> axisTicks,
    List<Mark> marks,
    String executables,
    long mostExecutables) {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 200;
  private static final int MOST_AREAS = 7;
  private static final int TICKS = 6;

  /**
   * The memory of a place.
   *
   * @param colour the number of a colour, from 1
   */
  public record Area(String label, int colour, String path) {}

  /** A recording. */
  public record Mark(String id, double percent, String text) {}

  /**
   * The chart of a series.
   *
   * @param rows one for each recording
   */
  static SeriesChart of(Series series, List<SeriesRow> rows) {
    List<PlaceSeries> largest =
        series.places().stream()
            .sorted(Comparator.comparingLong(PlaceSeries::mostBytes).reversed())
            .limit(MOST_AREAS)
            .toList();
    int count = series.recordings().size();
    long top = Math.max(1, series.recordings().get(series.peak()).bytes());
    top += top / 10;
    double[] x = positions(series);
    long[] bottom = new long[count];
    List<Area> areas = new ArrayList<>();
    for (PlaceSeries place : largest) {
      long[] upper = bottom.clone();
      for (int each = 0; each < count; each++) {
        upper[each] += place.bytes(each);
      }
      areas.add(
          new Area(
              SeriesAnswer.name(place.place()), areas.size() + 1, area(x, bottom, upper, top)));
      bottom = upper;
    }
    if (series.places().size() > largest.size()) {
      long[] all = series.recordings().stream().mapToLong(SeriesRecording::bytes).toArray();
      areas.add(new Area("all other lines", MOST_AREAS + 1, area(x, bottom, all, top)));
    }
    long[] executables = executables(series);
    long mostExecutables = Arrays.stream(executables).max().orElse(0);
    return new SeriesChart(
        areas,
        byteTicks(top),
        axisTicks(series),
        marks(rows, x),
        executables.length == 0 ? "" : line(x, executables, Math.max(1, mostExecutables)),
        mostExecutables);
  }

  /** From the left, in shares of the width. */
  private static double[] positions(Series series) {
    long[] steps = series.steps();
    double span = Math.max(1, steps[steps.length - 1] - steps[0]);
    double[] positions = new double[steps.length];
    for (int each = 0; each < steps.length; each++) {
      positions[each] = (steps[each] - steps[0]) / span;
    }
    return positions;
  }

  private static String area(double[] x, long[] lower, long[] upper, long top) {
    StringBuilder path = new StringBuilder(line(x, upper, top));
    for (int each = x.length - 1; each >= 0; each--) {
      path.append('L').append(point(x[each], lower[each], top));
    }
    return path.append('Z').toString();
  }

  private static String line(double[] x, long[] values, long top) {
    StringBuilder path = new StringBuilder();
    for (int each = 0; each < x.length; each++) {
      path.append(each == 0 ? 'M' : 'L').append(point(x[each], values[each], top));
    }
    return path.toString();
  }

  private static String point(double x, long value, long top) {
    return rounded(x * WIDTH) + "," + rounded(HEIGHT - (double) value * HEIGHT / top);
  }

  private static double rounded(double coordinate) {
    return Math.round(10 * coordinate) / 10.0;
  }

  /** Empty if a recording does not count them. */
  private static long[] executables(Series series) {
    boolean isCounted =
        series.recordings().stream().allMatch(each -> each.executables().isPresent());
    return isCounted
        ? series.recordings().stream().mapToLong(each -> each.executables().getAsLong()).toArray()
        : new long[0];
  }

  private static List<Tick> byteTicks(long top) {
    return RoundTicks.bytes(0, top, TICKS).stream()
        .map(bytes -> new Tick(bytes, 100 - 100.0 * bytes / top))
        .toList();
  }

  private static List<Tick> axisTicks(Series series) {
    long[] steps = series.steps();
    long first = steps[0];
    double span = Math.max(1, steps[steps.length - 1] - first);
    int offset = series.hasSteps() ? 0 : 1; // Recordings are counted from 1.
    return RoundTicks.counts(first + offset, steps[steps.length - 1] + offset, TICKS).stream()
        .map(value -> new Tick(value, 100 * (value - offset - first) / span))
        .toList();
  }

  private static List<Mark> marks(List<SeriesRow> rows, double[] x) {
    List<Mark> marks = new ArrayList<>();
    for (int each = 0; each < x.length; each++) {
      SeriesRow row = rows.get(each);
      marks.add(new Mark(row.snapshot(), 100 * x[each], row.text()));
    }
    return marks;
  }
}
