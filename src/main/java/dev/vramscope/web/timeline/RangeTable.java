package dev.vramscope.web.timeline;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.sites.RangeSites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.steps.RangeEvents;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * The largest sites of a range of events in one order, and the sum of the others.
 *
 * @param restCount sites that are not in {@code rows}
 */
record RangeTable(
    RangeSites sites,
    RangeEvents events,
    RangeOrder order,
    List<RangeSites.Row> rows,
    RangeSites.Amounts rest,
    int restCount) {
  static RangeTable of(
      DeviceInspection device, StackClasses stacks, int from, int to, String by, int limit) {
    RangeOrder order = RangeOrder.of(by);
    EventWindow window = new EventWindow(from, to);
    RangeSites sites = RangeSites.of(device.lifetimes(), device.active(), stacks, window);
    List<RangeSites.Row> sorted = sites.rows().stream().sorted(order.largestFirst()).toList();
    int shownCount = Math.min(limit, sorted.size());
    return new RangeTable(
        sites,
        RangeEvents.of(device.device().trace(), window),
        order,
        sorted.subList(0, shownCount),
        RangeSites.sum(sorted.subList(shownCount, sorted.size())),
        sorted.size() - shownCount);
  }

  /** The same table without the sites that have nothing in its order; they are among the rest. */
  RangeTable withoutZeros() {
    List<RangeSites.Row> filled = rows.stream().filter(row -> order.value(row) != 0).toList();
    List<RangeSites.Row> zeros = new ArrayList<>(rows);
    zeros.removeAll(filled);
    int count = restCount + zeros.size();
    zeros.add(new RangeSites.Row(null, null, /* beforeRecording= */ false, 0, rest));
    return new RangeTable(sites, events, order, filled, RangeSites.sum(zeros), count);
  }

  public int from() {
    return sites.window().from();
  }

  /** The event after the last one. */
  public int to() {
    return sites.window().to();
  }

  public boolean isTimeKnown() {
    return events.elapsedMicros() != Trace.NO_TIME;
  }

  public boolean isPeakAtStart() {
    return sites.peakEvent() < from();
  }
}
