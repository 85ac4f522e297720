package dev.vramscope.analysis.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.DeviceSites;
import dev.vramscope.analysis.RandomTrace;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.stacks.StackSearch;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventListTest {
  private final RandomTrace random = RandomTrace.of(3, 4_000);
  private final Trace trace = random.device().trace();

  @Test
  void withoutAFilterEveryEventIsAtItsNumber() {
    EventList all = EventList.of(trace, EventFilter.ALL);
    assertThat(all.size()).isEqualTo(trace.size());
    assertThat(all.event(17)).isEqualTo(17);
    assertThat(all.indexOf(trace.size() + 5)).isEqualTo(trace.size());
  }

  @Test
  void selectsEventsThatHaveAllProperties() {
    EventFilter filter =
        new EventFilter(
            Set.of(TraceAction.FREE_REQUESTED),
            OptionalLong.of(7),
            null,
            1_000,
            30_000,
            OptionalLong.empty(),
            StackSearch.of(random.stacks(), "own3"),
            null,
            null);
    int[] expected =
        IntStream.range(0, trace.size())
            .filter(event -> trace.action(event) == TraceAction.FREE_REQUESTED)
            .filter(event -> trace.stream(event) == 7)
            .filter(event -> trace.bytes(event) >= 1_000 && trace.bytes(event) <= 30_000)
            .filter(event -> hasFrame(trace.stack(event), "own3"))
            .toArray();
    EventList found = EventList.of(trace, filter);
    assertThat(IntStream.range(0, found.size()).map(found::event)).containsExactly(boxed(expected));
    assertThat(expected).isNotEmpty();
    assertThat(found.indexOf(expected[2] - 1)).isLessThanOrEqualTo(2);
    assertThat(found.indexOf(expected[2])).isEqualTo(2);
    assertThat(found.indexOf(expected[2] + 1)).isEqualTo(3);
  }

  @Test
  void historyOfAnAddressHasTheEventsOfAllBlocksThatContainedIt() {
    long address = 0x1000_0000L + 0x1_0000L * 3 + 20_001;
    EventList found =
        EventList.of(
            trace,
            new EventFilter(
                Set.of(),
                OptionalLong.empty(),
                null,
                0,
                Long.MAX_VALUE,
                OptionalLong.of(address),
                null,
                null,
                null));
    int[] expected =
        IntStream.range(0, trace.size())
            .filter(event -> trace.address(event) <= address)
            .filter(
                event -> address < trace.address(event) + (trace.bytes(event) + 511) / 512 * 512)
            .toArray();
    assertThat(expected).hasSizeGreaterThan(10);
    assertThat(IntStream.range(0, found.size()).map(found::event)).containsExactly(boxed(expected));
  }

  @Test
  void ofARangeOnlyTheEventsOfASiteAreListed() {
    Lifetimes lifetimes = Lifetimes.of(random.device());
    StackClasses stacks = FrameRules.standard().classify(random.stacks());
    EventWindow window = new EventWindow(100, trace.size() - 50);
    int total = 0;
    for (Sites.Row row : DeviceSites.of(random.device(), stacks).rows()) {
      EventList found =
          EventList.of(
              trace,
              new EventFilter(
                  Set.of(),
                  OptionalLong.empty(),
                  null,
                  0,
                  Long.MAX_VALUE,
                  OptionalLong.empty(),
                  null,
                  window,
                  row.events(lifetimes, stacks)));
      for (int index = 0; index < found.size(); index++) {
        int event = found.event(index);
        assertThat(event).isBetween(window.from(), window.to() - 1);
        int allocation = lifetimes.allocationOf(event).orElseThrow();
        assertThat(row.isSiteOf(allocation, lifetimes, stacks)).isTrue();
      }
      total += found.size();
    }
    long expected =
        IntStream.range(window.from(), window.to())
            .filter(event -> lifetimes.allocationOf(event).isPresent())
            .count();
    assertThat((long) total).as("every event belongs to one site").isEqualTo(expected);
  }

  private boolean hasFrame(int stack, String name) {
    return random.stacks().framesOf(stack).stream().anyMatch(frame -> frame.name().equals(name));
  }

  private static Integer[] boxed(int[] values) {
    return IntStream.of(values).boxed().toArray(Integer[]::new);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "train",
        "OWN3",
        "train.py:13",
        "own3 /me/",
        "c10::",
        "nn.py:4",
        "zzz",
        "own3 nn.py"
      })
  void findsTheStacksWithAllWordsInOneFrame(String text) {
    StackTable stacks = random.stacks();
    StackSearch search = StackSearch.of(stacks, text);
    for (int stack = 0; stack < stacks.nodeCount(); stack++) {
      boolean expected = stacks.framesOf(stack).stream().anyMatch(frame -> hasAll(frame, text));
      assertThat(search.matches(stack)).as("stack %d", stack).isEqualTo(expected);
    }
    assertThat(search.frameCount())
        .isEqualTo(stacks.frames().stream().filter(frame -> hasAll(frame, text)).count());
  }

  private static boolean hasAll(Frame frame, String text) {
    String all =
        (frame.name() + "\n" + frame.file() + ":" + frame.line() + "\n").toLowerCase(Locale.ROOT);
    return List.of(text.toLowerCase(Locale.ROOT).split(" ")).stream().allMatch(all::contains);
  }
}
