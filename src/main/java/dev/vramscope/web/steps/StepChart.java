package dev.vramscope.web.steps;

import dev.vramscope.analysis.steps.StepTable;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Peak, growth and driver calls over the steps. The columns are steps or, of many steps, groups of
 * equally many, of which each shows its largest value. Paths are in units of columns and percent.
 *
 * @param peakPath an area: the most active bytes
 * @param endPath an area: active bytes at the end of the step
 * @param callsPath bars: driver calls
 * @param columns the width
 * @param perColumn steps in a column
 * @param topBytes the value at the top
 * @param topCalls the value at the top; 0 without any driver call
 */
record StepChart(
    String peakPath,
    String endPath,
    String callsPath,
    int columns,
    int perColumn,
    long topBytes,
    long topCalls) {
  private static final int MAX_COLUMNS = 400;

  static StepChart of(List<StepTable.Step> steps) {
    int perColumn = Math.max(1, (steps.size() + MAX_COLUMNS - 1) / MAX_COLUMNS);
    int columns = (steps.size() + perColumn - 1) / perColumn;
    long topBytes = max(steps, StepTable.Step::peakBytes);
    long topCalls = max(steps, StepTable.Step::driverCalls);
    return new StepChart(
        path(steps, perColumn, columns, topBytes, StepTable.Step::peakBytes),
        path(steps, perColumn, columns, topBytes, StepTable.Step::endBytes),
        path(steps, perColumn, columns, topCalls, StepTable.Step::driverCalls),
        columns,
        perColumn,
        topBytes,
        topCalls);
  }

  private static String path(
      List<StepTable.Step> steps,
      int perColumn,
      int columns,
      long top,
      ToLongFunction<StepTable.Step> value) {
    StringBuilder path = new StringBuilder("M0,100");
    for (int column = 0; column < columns; column++) {
      int end = Math.min(steps.size(), (column + 1) * perColumn);
      long most = max(steps.subList(column * perColumn, end), value);
      path.append('V').append(top <= 0 ? 100 : Math.round(1000 - 1000.0 * most / top) / 10.0);
      path.append('H').append(column + 1);
    }
    return path.append("V100Z").toString();
  }

  private static long max(List<StepTable.Step> steps, ToLongFunction<StepTable.Step> value) {
    return steps.stream().mapToLong(value).max().orElse(0);
  }
}
