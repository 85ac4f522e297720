package dev.vramscope.web;

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
    String reserved,
    String allocated,
    List<Line> devices,
    List<Mark> marks,
    List<CompareChart.Tick> byteTicks,
    List<CompareChart.Tick> valueTicks) {
  static final int WIDTH = 800;
  static final int HEIGHT = 200;
  private static final int TICKS = 5;
  private static final DisplayFormat FORMAT = new DisplayFormat();

  /** The memory of a device. */
  record Line(long bytes, double percent) {}

  /**
   * A point of the reserved memory.
   *
   * @param symbol a circle for a recording, a triangle for the largest value that fits
   */
  record Mark(String symbol, double x, double y, String text) {}

  static PlanChart of(PlanView plan) {
    long first = value(plan, plan.curve().getFirst());
    long last = Math.max(first + 1, value(plan, plan.curve().getLast()));
    long top = 1;
    for (PlanView.Peaks point : plan.curve()) {
      top = Math.max(top, point.peakReservedBytes());
    }
    List<Long> devices =
        plan.largest().stream()
            .map(found -> found.totalBytes() - found.othersBytes())
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
    for (PlanView.Largest found : plan.largest()) {
      Long value = found.value();
      Long bytes = found.reservedBytes();
      if (value != null
          && bytes != null
          && found.settings().equals(plan.largest().getFirst().settings())) {
        marks.add(
            scale.mark(
                "▲",
                value,
                bytes,
                plan.find() + " " + value + " fits " + FORMAT.bytes(found.totalBytes())));
      }
    }
    long highest = top;
    return new PlanChart(
        scale.path(plan, PlanView.Peaks::peakReservedBytes),
        scale.path(plan, PlanView.Peaks::peakAllocatedBytes),
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

    String path(PlanView plan, ToLongFunction<PlanView.Peaks> bytes) {
      StringBuilder path = new StringBuilder();
      for (PlanView.Peaks point : plan.curve()) {
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
