package dev.vramscope.analysis.segments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.RandomTrace;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.SizeRules;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryNeighboursTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 17, 333, 900})
  void everyGranuleOfATenantOverlapsAndItsTimeDoesNot(int row) {
    Lifetimes lifetimes = RandomTrace.of(9, 4_000).lifetimes();
    SizeRules sizes = SizeRules.DEFAULT;
    MemoryNeighbours tenants = MemoryNeighbours.of(lifetimes, sizes, row, 10_000);
    List<Integer> sameMemory =
        IntStream.range(0, lifetimes.size())
            .filter(other -> other != row && overlaps(lifetimes, sizes, row, other))
            .boxed()
            .toList();
    assertThat(tenants.before())
        .containsExactlyElementsOf(
            sameMemory.stream()
                .filter(other -> lifetimes.endEvent(other) <= lifetimes.allocationEvent(row))
                .sorted(Comparator.comparingInt(lifetimes::endEvent).reversed())
                .toList());
    assertThat(tenants.after())
        .containsExactlyElementsOf(
            sameMemory.stream()
                .filter(other -> lifetimes.allocationEvent(other) >= lifetimes.endEvent(row))
                .toList());
    assertThat(tenants.beforeCount() + tenants.afterCount()).isEqualTo(sameMemory.size());
    int moment = lifetimes.allocationEvent(row);
    assertThat(tenants.below())
        .isEqualTo(
            IntStream.range(0, lifetimes.size())
                .filter(other -> lifetimes.isActiveAt(other, moment))
                .filter(other -> lifetimes.address(other) < lifetimes.address(row))
                .boxed()
                .max(Comparator.comparingLong(lifetimes::address))
                .stream()
                .mapToInt(Integer::intValue)
                .findFirst());
    assertThat(tenants.above())
        .isEqualTo(
            IntStream.range(0, lifetimes.size())
                .filter(other -> lifetimes.isActiveAt(other, moment))
                .filter(other -> lifetimes.address(other) > lifetimes.address(row))
                .boxed()
                .min(Comparator.comparingLong(lifetimes::address))
                .stream()
                .mapToInt(Integer::intValue)
                .findFirst());
  }

  private static boolean overlaps(Lifetimes lifetimes, SizeRules sizes, int row, int other) {
    for (long at = lifetimes.address(row);
        at < lifetimes.address(row) + lifetimes.allocatedBytes(row, sizes);
        at += 512) {
      if (lifetimes.address(other) <= at
          && at < lifetimes.address(other) + lifetimes.allocatedBytes(other, sizes)) {
        return true;
      }
    }
    return false;
  }
}
