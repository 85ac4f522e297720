package dev.vramscope.analysis.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.EventTimes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ActiveTimelineTest {
  private final Trace.Builder trace = new Trace.Builder();

  @Test
  void rectanglesAndRestAddUpToTheActiveBytes() {
    for (long seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      HistoryModel model = HistoryModel.of(seed, 300);
      DeviceSnapshot device = model.recordedFrom(random.nextInt(model.eventCount()));
      Lifetimes lifetimes = Lifetimes.of(device);
      ActiveBytes active = ActiveBytes.of(device, lifetimes);
      int count = active.eventCount();
      for (int i = 0; i < 10; i++) {
        int from = random.nextInt(count);
        EventWindow window = new EventWindow(from, from + 1 + random.nextInt(count - from));
        int width = 1 + random.nextInt(200);
        int height = 1 + random.nextInt(300);
        check(
            lifetimes,
            active,
            ActiveTimeline.of(lifetimes, active, window, width, height),
            "seed %d window %s width %d height %d".formatted(seed, window, width, height));
      }
    }
  }

  private static void check(
      Lifetimes lifetimes, ActiveBytes active, ActiveTimeline picture, String description) {
    EventWindow window = picture.window();
    for (int column = 0; column < picture.width(); column++) {
      int from = window.from() + (int) ((long) column * window.size() / picture.width());
      int to = window.from() + (int) ((long) (column + 1) * window.size() / picture.width());
      long max = Long.MIN_VALUE;
      long min = Long.MAX_VALUE;
      for (int event = from; event < to; event++) {
        max = Math.max(max, active.at(event));
        min = Math.min(min, active.at(event));
      }
      assertThat(picture.event(column)).as(description).isBetween(from, to - 1);
      assertThat(picture.activeMax(column)).as(description).isEqualTo(max);
      assertThat(active.at(picture.event(column))).as(description).isEqualTo(max);
      assertThat(picture.activeMin(column)).as(description).isEqualTo(min);
      long liveBefore = 0;
      for (int row = 0; row < lifetimes.liveBeforeCount(); row++) {
        boolean isActive = lifetimes.isActiveAt(row, picture.event(column));
        liveBefore += isActive ? lifetimes.bytes(row) : 0;
      }
      assertThat(picture.liveBefore(column)).as(description).isEqualTo(liveBefore);
      checkStack(lifetimes, picture, column, description);
    }
  }

  @Test
  void columnsOfEqualTimeEqualARecount() {
    for (long seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      HistoryModel model = HistoryModel.of(seed, 300);
      DeviceSnapshot device = model.recordedFrom(random.nextInt(model.eventCount()));
      Lifetimes lifetimes = Lifetimes.of(device);
      ActiveBytes active = ActiveBytes.of(device, lifetimes);
      int count = active.eventCount();
      long[] micros = new long[count];
      long time = 1_000;
      for (int event = 0; event < count; event++) {
        time += random.nextInt(20) == 0 ? random.nextInt(3_000) : random.nextInt(3);
        micros[event] = time;
      }
      EventTimes times = AnnotationRangesTest.times(micros);
      for (int i = 0; i < 10; i++) {
        int from = random.nextInt(count);
        EventWindow window = new EventWindow(from, from + 1 + random.nextInt(count - from));
        ActiveTimeline picture =
            ActiveTimeline.byTime(
                lifetimes, active, times, window, 1 + random.nextInt(200), 1 + random.nextInt(300));
        checkTimes(lifetimes, active, picture, micros, "seed " + seed + " window " + window);
      }
    }
  }

  private static void checkTimes(
      Lifetimes lifetimes,
      ActiveBytes active,
      ActiveTimeline picture,
      long[] micros,
      String description) {
    EventWindow window = picture.window();
    long start = picture.fromMicros();
    double perColumn = (double) (picture.toMicros() - start) / picture.width();
    assertThat(start).isEqualTo(micros[window.from()]);
    assertThat(picture.start(0)).isEqualTo(window.from());
    assertThat(picture.start(picture.width())).isEqualTo(window.to());
    for (int column = 0; column < picture.width(); column++) {
      long max = Long.MIN_VALUE;
      long min = Long.MAX_VALUE;
      int before = -1;
      for (int event = window.from(); event < window.to(); event++) {
        long at = micros[event] - start;
        if (column > 0 && at < (long) (column * perColumn)) {
          before = event;
        } else if (column + 1 == picture.width() || at < (long) ((column + 1) * perColumn)) {
          max = Math.max(max, active.at(event));
          min = Math.min(min, active.at(event));
        }
      }
      if (before >= 0) {
        max = Math.max(max, active.at(before));
        min = Math.min(min, active.at(before));
      }
      assertThat(picture.activeMax(column)).as(description + " column " + column).isEqualTo(max);
      assertThat(picture.activeMin(column)).as(description).isEqualTo(min);
      checkStack(lifetimes, picture, column, description);
    }
  }

  private static void checkStack(
      Lifetimes lifetimes, ActiveTimeline picture, int column, String description) {
    List<Integer> atColumn = new ArrayList<>();
    for (int i = 0; i < picture.rectangleCount(); i++) {
      if (picture.column0(i) <= column && column < picture.column1(i)) {
        atColumn.add(i);
      }
    }
    atColumn.sort(Comparator.comparingLong(picture::bottom));
    long height = 0;
    int below = -1;
    for (int i : atColumn) {
      assertThat(picture.bottom(i)).as(description + ", no gap, no overlap").isEqualTo(height);
      assertThat(picture.allocation(i))
          .as(description + ", in order of allocation")
          .isGreaterThan(below);
      assertThat(lifetimes.isActiveAt(picture.allocation(i), picture.event(column)))
          .as(description)
          .isTrue();
      assertThat(picture.bytes(i)).isEqualTo(lifetimes.bytes(picture.allocation(i)));
      below = picture.allocation(i);
      height += picture.bytes(i);
    }
    assertThat(height + picture.rest(column)).as(description).isEqualTo(picture.activeMax(column));
  }

  private ActiveTimeline picture(int width, int height) {
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    Lifetimes lifetimes = Lifetimes.of(device);
    ActiveBytes active = ActiveBytes.of(device, lifetimes);
    return ActiveTimeline.of(
        lifetimes, active, new EventWindow(0, active.eventCount()), width, height);
  }

  @Test
  void rectangleIsSplitWhereItMovesDown() {
    trace.add(TraceAction.ALLOC, 512, 10);
    trace.add(TraceAction.ALLOC, 1024, 20);
    trace.add(TraceAction.FREE_REQUESTED, 512, 10);
    trace.add(TraceAction.FREE_COMPLETED, 512, 10);
    ActiveTimeline found = picture(100, 100);
    assertThat(found.width()).as("no more columns than events").isEqualTo(4);
    List<String> rectangles = new ArrayList<>();
    for (int i = 0; i < found.rectangleCount(); i++) {
      rectangles.add(
          "%d: %d..%d at %d, %d bytes"
              .formatted(
                  found.allocation(i),
                  found.column0(i),
                  found.column1(i),
                  found.bottom(i),
                  found.bytes(i)));
    }
    assertThat(rectangles)
        .containsExactlyInAnyOrder(
            "0: 0..3 at 0, 10 bytes", "1: 1..3 at 10, 20 bytes", "1: 3..4 at 0, 20 bytes");
  }

  @Test
  void eachAllocationFromBeforeTheRecordingEndsWhenItIsFreed() {
    trace.add(TraceAction.FREE_COMPLETED, 1024, 30);
    trace.add(TraceAction.ALLOC, 4096, 5);
    trace.add(TraceAction.FREE_COMPLETED, 512, 20);
    trace.add(TraceAction.FREE_COMPLETED, 2048, 40);
    ActiveTimeline found = picture(100, 1000);
    List<String> rectangles = new ArrayList<>();
    for (int i = 0; i < found.rectangleCount(); i++) {
      rectangles.add(found.bytes(i) + " bytes " + found.column0(i) + ".." + found.column1(i));
    }
    // Freed by the first event: 30 bytes are never seen. What is above a freed one moves down.
    assertThat(rectangles)
        .contains("20 bytes 0..2", "5 bytes 3..4")
        .noneMatch(text -> text.startsWith("30"));
    assertThat(rectangles.stream().filter(text -> text.startsWith("40")))
        .isNotEmpty()
        .allMatch(text -> !text.endsWith("..4"));
    assertThat(found.liveBefore(0)).isEqualTo(60);
    assertThat(found.liveBefore(2)).isEqualTo(40);
    assertThat(found.liveBefore(3)).isZero();
  }

  @Test
  void allocationsThinnerThanHalfAPixelAreSummed() {
    trace.add(TraceAction.ALLOC, 512, 1000);
    trace.add(TraceAction.ALLOC, 4096, 4);
    ActiveTimeline found = picture(10, 100);
    assertThat(found.rectangleCount()).isEqualTo(1);
    assertThat(found.rest(1)).isEqualTo(4);
    assertThat(found.allocationCount()).isEqualTo(2);
    assertThat(found.drawnCount()).isEqualTo(1);
    assertThat(found.summarizedCount()).isEqualTo(1);
  }

  @Test
  void allocationsOfAWindowAreCountedAtAnyWidth() {
    for (int i = 1; i <= 100; i++) {
      trace.add(TraceAction.ALLOC, 512L * i, i);
      trace.add(TraceAction.FREE_REQUESTED, 512L * i, i);
      trace.add(TraceAction.FREE_COMPLETED, 512L * i, i);
    }
    for (int width : new int[] {1, 7, 100, 300}) {
      ActiveTimeline found = picture(width, 100);
      assertThat(found.allocationCount()).as("at width " + width).isEqualTo(100);
      assertThat(found.drawnCount() + found.summarizedCount()).isLessThanOrEqualTo(100);
    }
  }

  @Test
  void allocationFreedByTheFirstEventIsCounted() {
    trace.add(TraceAction.FREE_COMPLETED, 512, 10);
    trace.add(TraceAction.ALLOC, 4096, 20);
    assertThat(picture(100, 100).allocationCount()).isEqualTo(2);
  }

  @Test
  void rectangleCountIsLimited() {
    // Every free removes the lowest allocation, so all others move.
    int next = 0;
    for (int i = 0; i < 600; i++) {
      trace.add(TraceAction.ALLOC, 512L * ++next, 100 + i % 7);
    }
    for (int i = 1; i <= 600; i++) {
      trace.add(TraceAction.FREE_REQUESTED, 512L * i, 100 + (i - 1) % 7);
      trace.add(TraceAction.FREE_COMPLETED, 512L * i, 100 + (i - 1) % 7);
    }
    ActiveTimeline found = picture(1800, 2000);
    assertThat(found.rectangleCount()).isLessThanOrEqualTo(ActiveTimeline.MAX_RECTANGLES);
    assertThat(found.drawnCount()).as("as many as fit are drawn").isPositive();
    assertThat(found.rest(700)).isPositive().isLessThan(found.activeMax(700));
  }

  @Test
  void emptyTraceHasNoColumns() {
    ActiveTimeline found = picture(100, 100);
    assertThat(found.width()).isZero();
    assertThat(found.rectangleCount()).isZero();
    assertThat(found.windowPeakBytes()).isZero();
  }

  @Test
  void windowIsClippedToTheTrace() {
    assertThat(new EventWindow(5, 50).within(10)).isEqualTo(new EventWindow(5, 10));
    assertThat(new EventWindow(50, 60).within(10)).isEqualTo(new EventWindow(10, 10));
    assertThatThrownBy(() -> new EventWindow(3, 2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> picture(0, 10)).isInstanceOf(IllegalArgumentException.class);
  }
}
