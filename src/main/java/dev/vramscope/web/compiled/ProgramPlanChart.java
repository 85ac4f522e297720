package dev.vramscope.web.compiled;

import dev.vramscope.compiled.scaling.ByteEstimate;
import dev.vramscope.compiled.scaling.ProgramPlan;
import dev.vramscope.web.compare.CompareChart;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.display.RoundTicks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All bytes of a program against the value. Paths are in units of {@link #WIDTH} and {@link
 * #HEIGHT}; ticks and marks are percentages, from the left and from the top.
 *
 * @param likely where a law fits; may have gaps
 * @param range as an area
 * @param memory the line of what is available; null if none is given, or if it is far above
 */
record ProgramPlanChart(
    String likely,
    String range,
    List<Mark> marks,
    @Nullable Double memory,
    List<CompareChart.Tick> byteTicks,
    List<CompareChart.Tick> valueTicks) {
  static final int WIDTH = 800;
  static final int HEIGHT = 200;
  private static final int POINTS = 60;
  private static final int TICKS = 5;

  /** Memory that is farther above all bytes would flatten the curve. */
  private static final int FAR = 3;

  private static final DisplayFormat FORMAT = new DisplayFormat();

  /** A program, or the largest value that fits. */
  record Mark(String symbol, double x, double y, String text) {}

  static ProgramPlanChart of(ProgramPlan plan, ProgramPlanView view) {
    long last = plan.programs().getLast().value();
    for (ProgramPlanView.Prediction each : view.at()) {
      last = Math.max(last, each.value());
    }
    ProgramPlanView.Largest largest = view.largest();
    Long fits = largest == null ? null : largest.value();
    last = fits == null ? last : Math.max(last, fits);
    Scale scale = new Scale(plan, last, largest == null ? 0 : available(largest));
    List<Mark> marks = new ArrayList<>();
    for (ProgramPlanView.Program each : view.programs()) {
      marks.add(scale.mark("●", each.value(), each.bytes(), view.name()));
    }
    Long bytes = fits == null ? null : plan.at(fits).likely();
    if (fits != null && bytes != null) {
      marks.add(scale.mark("▲", fits, bytes, "the largest " + view.name() + " that fits,"));
    }
    return new ProgramPlanChart(
        scale.likely(),
        scale.range(),
        marks,
        largest == null || available(largest) > scale.top
            ? null
            : (Double) scale.y(available(largest)),
        RoundTicks.bytes(0, scale.top, TICKS).stream()
            .map(tick -> new CompareChart.Tick(tick, scale.y(tick)))
            .toList(),
        RoundTicks.counts(0, last, TICKS).stream()
            .map(tick -> new CompareChart.Tick(tick, scale.x(tick)))
            .toList());
  }

  private static long available(ProgramPlanView.Largest largest) {
    return largest.memoryBytes() - largest.othersBytes();
  }

  private static final class Scale {
    private final List<Long> values;
    private final List<ByteEstimate> estimates;
    private final long last;
    private final long top;

    Scale(ProgramPlan plan, long last, long memory) {
      this.last = last;
      long first = plan.programs().getFirst().value();
      TreeSet<Long> chosen = new TreeSet<>();
      plan.programs().forEach(each -> chosen.add(each.value()));
      for (long i = 0; i <= POINTS; i++) {
        chosen.add(first + Math.round((last - first) * (i / (double) POINTS)));
      }
      values = List.copyOf(chosen);
      estimates = values.stream().map(plan::at).toList();
      long most = estimates.stream().mapToLong(ByteEstimate::most).max().orElse(1);
      long shown = memory > 0 && memory < FAR * most ? Math.max(most, memory) : most;
      top = Math.max(1, shown + shown / 10);
    }

    double x(long value) {
      return 100.0 * value / last;
    }

    double y(long bytes) {
      return 100 - 100.0 * bytes / top;
    }

    Mark mark(String symbol, long value, long bytes, String what) {
      return new Mark(
          symbol,
          x(value),
          y(bytes),
          what + " " + FORMAT.count(value) + ": " + FORMAT.bytes(bytes));
    }

    String likely() {
      StringBuilder path = new StringBuilder();
      boolean isOn = false;
      for (int i = 0; i < values.size(); i++) {
        Long bytes = estimates.get(i).likely();
        if (bytes != null) {
          append(path, isOn ? 'L' : 'M', values.get(i), bytes);
        }
        isOn = bytes != null;
      }
      return path.toString();
    }

    String range() {
      StringBuilder path = new StringBuilder();
      for (int i = 0; i < values.size(); i++) {
        append(path, i == 0 ? 'M' : 'L', values.get(i), estimates.get(i).most());
      }
      for (int i = values.size() - 1; i >= 0; i--) {
        append(path, 'L', values.get(i), estimates.get(i).least());
      }
      return path.append('Z').toString();
    }

    private void append(StringBuilder path, char command, long value, long bytes) {
      path.append(command)
          .append(
              String.format(
                  Locale.ROOT, "%.1f,%.1f", x(value) * WIDTH / 100, y(bytes) * HEIGHT / 100));
    }
  }
}
