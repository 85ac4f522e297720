package dev.vramscope.web.timeline;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.sites.RangeSites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.steps.RangeEvents;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.Trace;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * The largest sites of a range of events in one order, and the sum of the others.
 *
 * @param by the order
 * @param restCount sites that are not in {@code rows}
 */
record RangeTable(
    RangeSites sites,
    RangeEvents events,
    String by,
    List<RangeSites.Row> rows,
    RangeSites.Amounts rest,
    int restCount) {
  /** Orders by the value of the parameter {@code by}. */
  private static final Map<String, ToLongFunction<RangeSites.Amounts>> ORDERS =
      Map.of(
          "allocated", RangeSites.Amounts::allocatedBytes,
          "freed", RangeSites.Amounts::freedBytes,
          "start", RangeSites.Amounts::liveAtStartBytes,
          "end", RangeSites.Amounts::liveAtEndBytes,
          "growth", RangeSites.Amounts::growthBytes,
          "own", RangeSites.Amounts::ownPeakBytes,
          "peak", RangeSites.Amounts::atPeakBytes);

  static RangeTable of(
      DeviceInspection device, StackClasses stacks, int from, int to, String by, int limit) {
    ToLongFunction<RangeSites.Amounts> order = ORDERS.get(by);
    if (order == null) {
      throw RefusedRequestException.badParameter(
          "by", by, "allocated, freed, start, end, growth, own or peak");
    }
    EventWindow window = new EventWindow(from, to);
    RangeSites sites = RangeSites.of(device.lifetimes(), device.active(), stacks, window);
    List<RangeSites.Row> sorted =
        sites.rows().stream()
            .sorted(
                Comparator.comparingLong((RangeSites.Row row) -> order.applyAsLong(row.amounts()))
                    .reversed())
            .toList();
    int shown = Math.min(limit, sorted.size());
    return new RangeTable(
        sites,
        RangeEvents.of(device.device().trace(), window),
        by,
        sorted.subList(0, shown),
        RangeSites.sum(sorted.subList(shown, sorted.size())),
        sorted.size() - shown);
  }

  /** The same table without the sites that have nothing in its order; they are among the rest. */
  RangeTable withoutZeros() {
    ToLongFunction<RangeSites.Amounts> order = Objects.requireNonNull(ORDERS.get(by));
    List<RangeSites.Row> filled =
        rows.stream().filter(row -> order.applyAsLong(row.amounts()) != 0).toList();
    List<RangeSites.Row> zeros = new ArrayList<>(rows);
    zeros.removeAll(filled);
    int count = restCount + zeros.size();
    zeros.add(new RangeSites.Row(null, null, false, 0, rest));
    return new RangeTable(sites, events, by, filled, RangeSites.sum(zeros), count);
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
