package dev.vramscope.analysis.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.vramscope.analysis.lifetimes.EventTimes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.model.Annotation;
import dev.vramscope.model.Annotation.Stage;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AnnotationRangesTest {
  @Test
  void endsBelongToTheLatestStartOfTheirName() {
    AnnotationRanges ranges =
        AnnotationRanges.of(
            List.of(
                mark("step", Stage.START, 10),
                mark("forward", Stage.START, 20),
                mark("forward", Stage.START, 30),
                mark("forward", Stage.END, 40),
                mark("forward", Stage.END, 50),
                mark("before", Stage.END, 60),
                mark("step", Stage.END, 70),
                mark("open", Stage.START, 80)),
            times(0, 10, 15, 25, 35, 45, 55, 65, 75, 85));
    assertThat(texts(ranges))
        .containsExactlyInAnyOrder("0-7 before", "2-8 step", "3-6 forward", "9-10 open");
    assertThat(ranges.count()).isEqualTo(5);
    assertThat(ranges.hiddenCount()).isEqualTo(1);
  }

  @Test
  void rangesWithoutEventsAreCounted() {
    AnnotationRanges ranges =
        AnnotationRanges.of(
            List.of(mark("a", Stage.START, 11), mark("a", Stage.END, 14)), times(10, 15));
    assertThat(ranges.lanes()).isEmpty();
    assertThat(ranges.emptyCount()).isEqualTo(1);
  }

  @Test
  void withoutAscendingTimesThereAreNone() {
    List<Annotation> annotations = List.of(mark("a", Stage.START, 1), mark("a", Stage.END, 99));
    assertThat(AnnotationRanges.of(annotations, times(10, 9)).lanes()).isEmpty();
    assertThat(times(10, 9).order()).isEqualTo(EventTimes.Order.GOES_BACK);
    assertThat(times(10, Trace.NO_TIME).order()).isEqualTo(EventTimes.Order.NOT_RECORDED);
    assertThat(times().order()).isEqualTo(EventTimes.Order.NOT_RECORDED);
    assertThatIllegalStateException().isThrownBy(() -> times(10, 9).firstFrom(9));
  }

  @Test
  void placesOfTimesEqualARecount() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 200; round++) {
      long[] micros = random.longs(1 + random.nextInt(40), 0, 30).sorted().toArray();
      EventTimes times = times(micros);
      for (long time = -1; time < 32; time++) {
        long at = time;
        assertThat(times.firstFrom(time))
            .isEqualTo((int) Arrays.stream(micros).filter(t -> t < at).count());
        assertThat(times.firstAfter(time))
            .isEqualTo((int) Arrays.stream(micros).filter(t -> t <= at).count());
      }
    }
  }

  @Test
  void chartsShowEachRangeOnce() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 400; round++) {
      RangeLane.Builder builder = new RangeLane.Builder();
      int end = 0;
      int most = 1 + random.nextInt(60);
      for (int i = random.nextInt(80); i > 0; i--) {
        int from = end + (random.nextBoolean() ? 0 : random.nextInt(most));
        end = from + 1 + random.nextInt(most);
        builder.add(from, end, "range " + i);
      }
      RangeLane lane = builder.build();
      int from = random.nextInt(end + 1);
      EventWindow window = new EventWindow(from, from + random.nextInt(end + 1 - from));
      int width = 1 + random.nextInt(100);
      compare(lane, window, width, "round " + round);
    }
  }

  private static void compare(RangeLane lane, EventWindow window, int width, String round) {
    List<Integer> expected = new ArrayList<>();
    for (int range = 0; range < lane.size(); range++) {
      EventWindow events = lane.window(range);
      if (events.from() < window.to() && events.to() > window.from() && window.size() > 0) {
        expected.add(range);
      }
    }
    List<Integer> shown = new ArrayList<>();
    double pixel = Math.max(1, (double) window.size() / width);
    int[] entries = {0};
    lane.show(
        window,
        width,
        entry -> {
          entries[0]++;
          assertThat(entry.events().from()).isEqualTo(lane.window(entry.first()).from());
          assertThat(entry.events().to())
              .isEqualTo(lane.window(entry.first() + entry.count() - 1).to());
          for (int i = 0; i < entry.count(); i++) {
            int range = entry.first() + i;
            assertThat(entry.count() == 1 || lane.window(range).size() < pixel).as(round).isTrue();
            shown.add(range);
          }
        });
    // The last combined one may be of ranges that begin after the window, in its last pixel.
    assertThat(shown).as(round).startsWith(expected.toArray(Integer[]::new));
    assertThat(shown.size() - expected.size()).as(round).isLessThanOrEqualTo((int) pixel + 1);
    assertThat(entries[0]).as(round).isLessThanOrEqualTo(2 * width + 2);
  }

  private static List<String> texts(AnnotationRanges ranges) {
    List<String> texts = new ArrayList<>();
    for (RangeLane lane : ranges.lanes()) {
      for (int i = 0; i < lane.size(); i++) {
        texts.add(lane.window(i).from() + "-" + lane.window(i).to() + " " + lane.name(i));
      }
    }
    return texts;
  }

  private static Annotation mark(String name, Stage stage, long time) {
    return new Annotation(name, stage, time);
  }

  static EventTimes times(long... micros) {
    Trace.Builder trace = new Trace.Builder();
    for (long time : micros) {
      trace.timeMicros(trace.add(TraceAction.ALLOC, 0x1000, 512), time);
    }
    return EventTimes.of(trace.build());
  }
}
