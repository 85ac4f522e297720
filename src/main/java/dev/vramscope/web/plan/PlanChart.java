package dev.vramscope.web.plan;

import dev.vramscope.web.compare.CompareChart;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.display.RoundTicks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Peak memory against the value of a parameter, with a line for each device. Paths are in units of
 * {@link #WIDTH} and {@link #HEIGHT}; ticks, lines and marks are percentages, from the left and
 * from the top.
 */
record PlanChart(
    List<Curve> curves,
    List<Line> devices,
    List<Mark> marks,
    List<CompareChart.Tick> byteTicks,
    List<CompareChart.Tick> valueTicks) {
  static final int WIDTH = 800;
  static final int HEIGHT = 200;
  private static final int TICKS = 5;
  private static final DisplayFormat FORMAT = new DisplayFormat();

  /**
   * The peaks under one of the settings.
   *
   * @param number from 0, for the colour
   */
  record Curve(String settings, int number, String reserved, String allocated) {}

  /** The memory of a device. */
  record Line(long bytes, double percent) {}

  /**
   * A point of the reserved memory.
   *
   * @param symbol a circle for a recording, a triangle for the largest value that fits
   */
  record Mark(String symbol, double x, double y, String text) {}

  static PlanChart of(PlanView plan) {
    long first = Long.MAX_VALUE;
    long last = 0;
    for (PlanView.Peaks point : plan.curve()) {
      first = Math.min(first, value(plan, point));
      last = Math.max(last, value(plan, point));
    }
    last = Math.max(first + 1, last);
    long top = 1;
    for (PlanView.Peaks point : plan.curve()) {
      top = point.lowerBound() ? top : Math.max(top, point.peakReservedBytes());
    }
    List<Long> devices =
        plan.largest().stream()
            .map(largest -> largest.totalBytes() - largest.othersBytes())
            .distinct()
            .toList();
    for (long bytes : devices) {
      // A device that is far larger than all that is shown would flatten the curve.
      top = bytes < 3 * top ? Math.max(top, bytes) : top;
    }
    top += top / 10;
    Scale scale = new Scale(first, last, top);
    List<Mark> marks = new ArrayList<>();
    for (PlanView.Run run : plan.runs()) {
      if (!isAtSameOthers(plan, run)) {
        continue;
      }
      marks.add(
          scale.mark(
              "●",
              run.values().getOrDefault(plan.find(), 0L),
              run.plannedReservedBytes(),
              "recorded"));
    }
    for (PlanView.Largest largest : plan.largest()) {
      Long value = largest.value();
      Long bytes = largest.reservedBytes();
      if (value != null && bytes != null) {
        marks.add(
            scale.mark(
                "▲",
                value,
                bytes,
                plan.find()
                    + " "
                    + value
                    + " fits "
                    + FORMAT.bytes(largest.totalBytes())
                    + ", "
                    + largest.settings()));
      }
    }
    long highest = top;
    return new PlanChart(
        curves(plan, scale),
        devices.stream()
            .filter(bytes -> bytes <= highest)
            .map(bytes -> new Line(bytes, scale.y(bytes)))
            .toList(),
        marks.stream().filter(mark -> mark.x >= 0 && mark.x <= 100).toList(),
        RoundTicks.bytes(0, top, TICKS).stream()
            .map(bytes -> new CompareChart.Tick(bytes, scale.y(bytes)))
            .toList(),
        RoundTicks.counts(first, last, TICKS).stream()
            .map(value -> new CompareChart.Tick(value, scale.x(value)))
            .toList());
  }

  private static List<Curve> curves(PlanView plan, Scale scale) {
    List<String> settings = plan.curve().stream().map(PlanView.Peaks::settings).distinct().toList();
    List<Curve> curves = new ArrayList<>();
    for (String each : settings) {
      // Where the replay ended early the peak is not known.
      List<PlanView.Peaks> points =
          plan.curve().stream()
              .filter(point -> point.settings().equals(each) && !point.lowerBound())
              .toList();
      curves.add(
          new Curve(
              each,
              settings.indexOf(each),
              scale.path(plan, points, PlanView.Peaks::peakReservedBytes),
              scale.path(plan, points, PlanView.Peaks::peakAllocatedBytes)));
    }
    return curves;
  }

  /** Whether a recording differs from the curve in the searched parameter only. */
  private static boolean isAtSameOthers(PlanView plan, PlanView.Run run) {
    return run.values().entrySet().stream()
        .allMatch(
            each ->
                each.getKey().equals(plan.find())
                    || each.getValue().equals(plan.at().get(each.getKey())));
  }

  private static long value(PlanView plan, PlanView.Peaks point) {
    return point.values().getOrDefault(plan.find(), 0L);
  }

  private record Scale(long first, long last, long top) {
    double x(long value) {
      return 100.0 * (value - first) / (last - first);
    }

    double y(long bytes) {
      return 100 - 100.0 * bytes / top;
    }

    Mark mark(String symbol, long value, long bytes, String text) {
      return new Mark(symbol, x(value), y(bytes), text + ": " + FORMAT.bytes(bytes));
    }

    String path(PlanView plan, List<PlanView.Peaks> points, ToLongFunction<PlanView.Peaks> bytes) {
      StringBuilder path = new StringBuilder();
      for (PlanView.Peaks point : points) {
        path.append(path.isEmpty() ? 'M' : 'L')
            .append(
                String.format(
                    Locale.ROOT,
                    "%.1f,%.1f",
                    x(value(plan, point)) * WIDTH / 100,
                    y(bytes.applyAsLong(point)) * HEIGHT / 100));
      }
      return path.toString();
    }
  }
}
