package dev.vramscope.web.whatif;

import dev.vramscope.web.display.RoundTicks;
import java.util.List;

/**
 * Peak reserved memory against driver calls, one point for each row that fits. Positions are
 * percentages of the chart, from the left and from the top.
 */
record WhatIfChart(List<Point> points, List<Tick> callTicks, List<Tick> byteTicks) {
  private static final int TICKS = 4;
  private static final double MARGIN = 0.08;

  /** A row of the table. */
  record Point(WhatIfTable.Row row, double x, double y) {}

  /** A value on an axis. */
  record Tick(long value, double percent) {}

  /** An axis that contains all values, with room at its ends. */
  private record Axis(double low, double high) {
    static Axis of(List<Long> values) {
      long least = values.stream().mapToLong(Long::longValue).min().orElse(0);
      long most = values.stream().mapToLong(Long::longValue).max().orElse(1);
      double margin = Math.max(1, (most - least) * MARGIN);
      return new Axis(Math.max(0, least - margin), most + margin);
    }

    double percent(double value) {
      return 100 * (value - low) / (high - low);
    }

    /** From the left. */
    List<Tick> counts() {
      return RoundTicks.counts(Math.round(low), Math.round(high), TICKS).stream()
          .map(value -> new Tick(value, percent((double) value)))
          .toList();
    }

    /** From the top, where the largest value is. */
    List<Tick> bytesFromTop() {
      return RoundTicks.bytes(Math.round(low), Math.round(high), TICKS).stream()
          .map(value -> new Tick(value, 100 - percent((double) value)))
          .toList();
    }
  }

  static WhatIfChart of(WhatIfTable table) {
    List<WhatIfTable.Row> rows = table.rows().stream().filter(WhatIfTable.Row::fits).toList();
    Axis calls = Axis.of(rows.stream().map(WhatIfTable.Row::calls).toList());
    Axis bytes = Axis.of(rows.stream().map(WhatIfTable.Row::reserved).toList());
    return new WhatIfChart(
        rows.stream()
            .map(
                row ->
                    new Point(
                        row,
                        calls.percent((double) row.calls()),
                        100 - bytes.percent((double) row.reserved())))
            .toList(),
        calls.counts(),
        bytes.bytesFromTop());
  }

  /** Whether there is something to compare. */
  public boolean isShown() {
    return points.size() > 1;
  }
}
