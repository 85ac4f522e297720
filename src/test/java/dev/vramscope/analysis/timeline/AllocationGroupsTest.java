package dev.vramscope.analysis.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.RandomTrace;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.analysis.uses.Uses;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocationGroupsTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void groupsAreClassesOfTheProperty(long seed) {
    RandomTrace random = RandomTrace.of(seed, 400);
    Lifetimes lifetimes = random.lifetimes();
    int events = random.device().trace().size();
    AllocationGroups sizes = AllocationGroups.bySize(lifetimes);
    AllocationGroups ages = AllocationGroups.byAge(lifetimes, events);
    Uses used = Uses.of(lifetimes, random.classes(), random.device().trace().userMetadata());
    AllocationGroups uses = AllocationGroups.byUse(used);
    assertThat(sizes.isOrdered()).isTrue();
    assertThat(uses.isOrdered()).isFalse();
    for (int row = 0; row < lifetimes.size(); row++) {
      long bytes = lifetimes.bytes(row);
      int size = bytes < 64 << 10 ? 0 : bytes < 1 << 20 ? 1 : bytes < 16 << 20 ? 2 : 3;
      assertThat(Math.min(3, sizes.groupOf(row))).isEqualTo(size);
      String age = ages.names().get(ages.groupOf(row));
      assertThat(age.equals("to the end")).isEqualTo(lifetimes.isActiveAt(row, events - 1));
      int use = uses.groupOf(row);
      assertThat(use == AllocationGroups.OTHER ? "" : uses.names().get(use))
          .isEqualTo(
              List.of(Use.OTHER, Use.NO_STACK, Use.COMMUNICATION).contains(used.use(row))
                  ? ""
                  : used.use(row).words() + " (estimated)");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void streamsWithTheMostBytesHaveGroups(long seed) {
    Lifetimes lifetimes = RandomTrace.of(seed, 400).lifetimes();
    Map<Long, Long> bytes = new HashMap<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      bytes.merge(lifetimes.stream(row), lifetimes.bytes(row), Long::sum);
    }
    AllocationGroups groups = AllocationGroups.byStream(lifetimes);
    Set<String> found = new HashSet<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      int group = groups.groupOf(row);
      if (group == AllocationGroups.OTHER) {
        assertThat(bytes).hasSizeGreaterThan(AllocationGroups.MAX_NAMED);
      } else {
        assertThat(groups.names().get(group)).isEqualTo("stream " + lifetimes.stream(row));
        found.add(groups.names().get(group));
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(groups.names());
    List<Long> sums =
        groups.names().stream()
            .map(name -> bytes.getOrDefault(Long.parseLong(name.substring(7)), -1L))
            .toList();
    assertThat(sums).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    int[] pools =
        IntStream.range(0, lifetimes.size())
            .map(AllocationGroups.byPool(lifetimes)::groupOf)
            .toArray();
    assertThat(Arrays.stream(pools).max().orElse(0)).isLessThan(AllocationGroups.MAX_NAMED);
  }
}
