package dev.vramscope.analysis.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.analysis.RandomTrace;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.RangeSites.Amounts;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.steps.RangeEvents;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RangeSitesTest {
  @Test
  void amountsAreThoseOfASlowRecountInAnyWindow() {
    for (long seed = 1; seed <= 30; seed++) {
      RandomTrace random = RandomTrace.of(seed, 300);
      compare(seed, random.device(), random.classes());
    }
  }

  @Test
  void allocationsFromBeforeTheRecordingCount() {
    StackClasses classes = FrameRules.standard().classify(StackTable.EMPTY);
    for (long seed = 1; seed <= 20; seed++) {
      HistoryModel model = HistoryModel.of(seed, 300);
      compare(seed, model.recordedFrom(model.eventCount() / 2), classes);
    }
  }

  @Test
  void theWholeTraceHasThePeakOfTheRecordingAndAnEmptyWindowOnlyItsStart() {
    RandomTrace random = RandomTrace.of(5, 400);
    ActiveBytes active = ActiveBytes.of(random.device(), random.lifetimes());
    RangeSites all = range(random, active, new EventWindow(0, Integer.MAX_VALUE));
    assertThat(all.total().ownPeakBytes()).isEqualTo(active.peakBytes());
    assertThat(all.peakEvent()).isEqualTo(active.peakEvent());
    assertThat(all.total().liveAtEndBytes()).isEqualTo(active.atEnd());
    RangeSites none = range(random, active, new EventWindow(100, 100));
    assertThat(none.total().allocatedCount()).isZero();
    assertThat(none.total().ownPeakBytes()).isEqualTo(active.at(99));
    assertThat(none.total().growthBytes()).isZero();
  }

  @Test
  void eventsAreCountedByAction() {
    DeviceSnapshot device = HistoryModel.of(3, 300).recordedFrom(0);
    int size = device.trace().size();
    RangeEvents events = RangeEvents.of(device.trace(), new EventWindow(10, size + 5));
    assertThat(events.counts().values().stream().mapToInt(n -> n).sum()).isEqualTo(size - 10);
    assertThat(events.driverCalls())
        .isEqualTo(
            events.count(TraceAction.SEGMENT_ALLOC) + events.count(TraceAction.SEGMENT_FREE));
  }

  private static RangeSites range(RandomTrace random, ActiveBytes active, EventWindow window) {
    return RangeSites.of(random.lifetimes(), active, random.classes(), window);
  }

  private static void compare(long seed, DeviceSnapshot device, StackClasses classes) {
    Lifetimes lifetimes = Lifetimes.of(device);
    ActiveBytes active = ActiveBytes.of(device, lifetimes);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 8; i++) {
      int from = random.nextInt(active.eventCount() + 1);
      int to = i == 0 ? active.eventCount() : random.nextInt(from, active.eventCount() + 1);
      EventWindow window = new EventWindow(i == 0 ? 0 : from, to);
      RangeSites found = RangeSites.of(lifetimes, active, classes, window);
      Map<List<Object>, Amounts> rows = new HashMap<>();
      found.rows().forEach(row -> rows.put(key(row.stack(), row, classes), row.amounts()));
      assertThat(rows)
          .as("seed %s, %s", seed, window)
          .isEqualTo(recount(lifetimes, active, classes, window, found.peakEvent()));
      assertThat(found.total()).isEqualTo(RangeSites.sum(found.rows()));
      assertThat(found.total().ownPeakBytes()).isEqualTo(active.at(found.peakEvent()));
    }
  }

  private static List<Object> key(int stack, RangeSites.Row row, StackClasses classes) {
    return stack == StackTable.NONE
        ? List.of("none", row.beforeRecording())
        : List.of(classes.stacks().frame(classes.siteOf(stack)));
  }

  /** Looks at every allocation after every event. */
  private static Map<List<Object>, Amounts> recount(
      Lifetimes lifetimes, ActiveBytes active, StackClasses classes, EventWindow window, int peak) {
    int before = window.from() - 1;
    int highest = before;
    for (int event = window.from(); event < window.to(); event++) {
      highest = active.at(event) > active.at(highest) ? event : highest;
    }
    assertThat(peak).isEqualTo(highest);
    Map<List<Object>, List<Integer>> bySite = new HashMap<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      boolean isAllocated =
          lifetimes.allocationEvent(row) >= window.from()
              && lifetimes.allocationEvent(row) < window.to();
      if (isAllocated || lifetimes.isActiveAt(row, before)) {
        int stack = lifetimes.stack(row);
        List<Object> key =
            stack == StackTable.NONE
                ? List.of("none", row < lifetimes.liveBeforeCount())
                : List.of(classes.stacks().frame(classes.siteOf(stack)));
        bySite.computeIfAbsent(key, _ -> new ArrayList<>()).add(row);
      }
    }
    Map<List<Object>, Amounts> result = new HashMap<>();
    bySite.forEach(
        (key, rows) -> {
          long ownPeak = 0;
          for (int event = before; event < window.to(); event++) {
            ownPeak = Math.max(ownPeak, live(lifetimes, rows, event)[0]);
          }
          long[] start = live(lifetimes, rows, before);
          long[] end = live(lifetimes, rows, window.to() - 1);
          long[] sums = new long[4];
          for (int row : rows) {
            if (lifetimes.allocationEvent(row) >= window.from()) {
              sums[0] += lifetimes.bytes(row);
              sums[1]++;
            }
            if (lifetimes.endEvent(row) < window.to()) {
              sums[2] += lifetimes.bytes(row);
              sums[3]++;
            }
          }
          result.put(
              key,
              new Amounts(
                  sums[0],
                  sums[1],
                  sums[2],
                  sums[3],
                  start[0],
                  start[1],
                  end[0],
                  end[1],
                  ownPeak,
                  live(lifetimes, rows, peak)[0]));
        });
    return result;
  }

  private static long[] live(Lifetimes lifetimes, List<Integer> rows, int event) {
    long[] live = new long[2];
    for (int row : rows) {
      if (lifetimes.isActiveAt(row, event)) {
        live[0] += lifetimes.bytes(row);
        live[1]++;
      }
    }
    return live;
  }
}
