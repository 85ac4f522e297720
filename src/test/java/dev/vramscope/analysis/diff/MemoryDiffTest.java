package dev.vramscope.analysis.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.diff.DiffRows.Group;
import dev.vramscope.analysis.diff.DiffRows.Held;
import dev.vramscope.analysis.diff.DiffRows.Row;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryDiffTest {
  private static final int STEPS = 120;

  /** Bytes and counts of both sides under a name. */
  private record Numbers(long before, long beforeCount, long after, long afterCount) {
    Numbers plus(Numbers other) {
      return new Numbers(
          before + other.before,
          beforeCount + other.beforeCount,
          after + other.after,
          afterCount + other.afterCount);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void equalsACountOfEveryAllocation(int seed) {
    RandomRun first = RandomRun.of(seed, STEPS, frame -> frame);
    RandomRun second = RandomRun.of(seed + 100L, STEPS, frame -> frame);
    for (int event : new int[] {-1, 0, 7, 50, first.eventCount() - 1}) {
      int other = Math.min(second.eventCount() - 1, event * 2 + 1);
      check(first, event, second, other);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void oneRunIsComparedWithItselfAtTwoEvents(int seed) {
    RandomRun run = RandomRun.of(seed, STEPS, frame -> frame);
    DeviceMoment before = run.moment(20);
    DeviceMoment after =
        new DeviceMoment(
            before.lifetimes(), before.active(), before.stacks(), run.eventCount() - 1);
    MemoryDiff diff = MemoryDiff.of(before, after, 1000);
    assertThat(siteNumbers(diff, before, after))
        .isEqualTo(counted(run.held(20), run.held(run.eventCount() - 1), MemoryDiffTest::site));
    assertThat(MemoryDiff.of(before, before, 1000).sites().differentCount()).isZero();
    assertThat(MemoryDiff.of(before, before, 1000).stacks().differentCount()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void otherFolderOfTheProjectMakesNoDifference(int seed) {
    for (String folder : new String[] {"/mnt/checkout/", "C:\\work\\", ""}) {
      UnaryOperator<Frame> moved =
          frame ->
              new Frame(
                  frame.name(), frame.file().replace("/home/a/project/", folder), frame.line());
      RandomRun first = RandomRun.of(seed, STEPS, frame -> frame);
      RandomRun second = RandomRun.of(seed + 100L, STEPS, moved);
      check(first, 90, second, 80);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void sitesOnOtherLinesAreTheSameSites(int seed) {
    UnaryOperator<Frame> later =
        frame ->
            frame.line() == 0 ? frame : new Frame(frame.name(), frame.file(), frame.line() + 30);
    RandomRun first = RandomRun.of(seed, STEPS, frame -> frame);
    RandomRun second = RandomRun.of(seed + 100L, STEPS, later);
    DeviceMoment before = first.moment(90);
    DeviceMoment after = second.moment(80);
    MemoryDiff diff = MemoryDiff.of(before, after, 1000);
    assertThat(siteNumbers(diff, before, after))
        .isEqualTo(counted(first.held(90), second.held(80), MemoryDiffTest::site));
    assertThat(diff.stacks().group(Change.GROWN).rowCount())
        .as("a stack with another line is another stack; those without a stack may have grown")
        .isLessThanOrEqualTo(1);
  }

  @Test
  void rowsThatAreLeftOutAreCountedAndSummed() {
    DeviceMoment before = RandomRun.of(1, STEPS, frame -> frame).moment(100);
    DeviceMoment after = RandomRun.of(2, STEPS, frame -> frame).moment(100);
    MemoryDiff all = MemoryDiff.of(before, after, 1000);
    MemoryDiff few = MemoryDiff.of(before, after, 2);
    for (Change change : Change.values()) {
      Group whole = all.stacks().group(change);
      Group part = few.stacks().group(change);
      assertThat(part.rowCount()).isEqualTo(whole.rowCount());
      assertThat(part.differenceBytes()).isEqualTo(whole.differenceBytes());
      assertThat(part.rows()).isEqualTo(whole.rows().stream().limit(2).toList());
    }
    List<Row> largest = all.sites().largest();
    for (int i = 1; i < largest.size(); i++) {
      assertThat(Math.abs(largest.get(i).differenceBytes()))
          .isLessThanOrEqualTo(Math.abs(largest.get(i - 1).differenceBytes()));
    }
  }

  private static void check(RandomRun first, int event, RandomRun second, int other) {
    DeviceMoment before = first.moment(event);
    DeviceMoment after = second.moment(other);
    MemoryDiff diff = MemoryDiff.of(before, after, 1000);
    assertThat(siteNumbers(diff, before, after))
        .isEqualTo(counted(first.held(event), second.held(other), MemoryDiffTest::site));
    assertThat(stackNumbers(diff, before, after))
        .isEqualTo(counted(first.held(event), second.held(other), MemoryDiffTest::stack));
    for (DiffRows rows : List.of(diff.sites(), diff.stacks())) {
      long sum = rows.groups().stream().mapToLong(Group::differenceBytes).sum();
      assertThat(sum)
          .isEqualTo(diff.differenceBytes())
          .isEqualTo(after.activeBytes() - before.activeBytes());
    }
    assertThat(diff.beforeCount()).isEqualTo(first.held(event).size());
    assertThat(diff.afterCount()).isEqualTo(second.held(other).size());
  }

  private static Map<String, Numbers> counted(
      List<RandomRun.Live> before, List<RandomRun.Live> after, Function<List<Frame>, String> name) {
    Map<String, Numbers> counted = new TreeMap<>();
    for (RandomRun.Live each : before) {
      counted.merge(name.apply(each.frames()), new Numbers(each.bytes(), 1, 0, 0), Numbers::plus);
    }
    for (RandomRun.Live each : after) {
      counted.merge(name.apply(each.frames()), new Numbers(0, 0, each.bytes(), 1), Numbers::plus);
    }
    counted.values().removeIf(numbers -> numbers.before == numbers.after && isOnBoth(numbers));
    return counted;
  }

  private static boolean isOnBoth(Numbers numbers) {
    return numbers.beforeCount > 0 && numbers.afterCount > 0;
  }

  private static Map<String, Numbers> siteNumbers(
      MemoryDiff diff, DeviceMoment before, DeviceMoment after) {
    return numbers(diff.sites(), before, after, MemoryDiffTest::site);
  }

  private static Map<String, Numbers> stackNumbers(
      MemoryDiff diff, DeviceMoment before, DeviceMoment after) {
    return numbers(diff.stacks(), before, after, MemoryDiffTest::stack);
  }

  private static Map<String, Numbers> numbers(
      DiffRows rows, DeviceMoment before, DeviceMoment after, Function<List<Frame>, String> name) {
    Map<String, Numbers> numbers = new TreeMap<>();
    for (Row row : rows.largest()) {
      String shown = row.before() != null ? name(row.before(), before, name) : "";
      if (row.after() != null) {
        String other = name(row.after(), after, name);
        assertThat(shown).isIn("", other);
        shown = other;
      }
      assertThat(numbers).as("each site and stack has one row").doesNotContainKey(shown);
      numbers.put(
          shown,
          new Numbers(
              bytes(row.before()), count(row.before()), bytes(row.after()), count(row.after())));
    }
    return numbers;
  }

  private static String name(Held held, DeviceMoment moment, Function<List<Frame>, String> name) {
    StackTable stacks = moment.stacks().stacks();
    return name.apply(new ArrayList<>(stacks.framesOf(held.stack())));
  }

  private static long bytes(@Nullable Held held) {
    return held == null ? 0 : held.bytes();
  }

  private static long count(@Nullable Held held) {
    return held == null ? 0 : held.count();
  }

  /** The second frame is the innermost one of the user's code; its function has one such line. */
  private static String site(List<Frame> frames) {
    return frames.isEmpty() ? "none" : frames.get(1).name();
  }

  /** All frames without the folder of the project. */
  private static String stack(List<Frame> frames) {
    StringBuilder text = new StringBuilder();
    for (Frame frame : frames) {
      text.append(frame.name()).append(':').append(frame.line()).append(' ');
    }
    return text.toString();
  }
}
