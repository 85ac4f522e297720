package dev.vramscope.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestExtent;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackWeights;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LastHoldersTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyFreeGranuleBelongsToTheLastAllocationThatContainedIt(long seed) {
    DeviceSnapshot device = HistoryModel.of(seed, TestExtent.of(500, 900)).recordedFrom(0);
    SizeRules sizes = SizeRules.DEFAULT;
    Lifetimes lifetimes = Lifetimes.of(device);
    for (int event : new int[] {100, TestExtent.of(400, 700), device.trace().size() - 1}) {
      AllocatorState state = AllocatorState.at(device, lifetimes, sizes, event);
      StackWeights weights =
          StackWeights.lastHolders(device, state, lifetimes, sizes, StackTable.EMPTY);
      long free = 0;
      Map<Integer, Long> count = new TreeMap<>();
      for (Segment segment : state.segments()) {
        for (Block block : segment.blocks()) {
          if (!block.isActive()) {
            free += block.bytes();
            for (long at = block.address(); at < block.end(); at += 512) {
              count.merge(lastHolder(lifetimes, sizes, at, event), 512L, Long::sum);
            }
          }
        }
      }
      assertThat((long) weights.total()).isEqualTo(free);
      assertThat(count.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(free);
      // Stacks are not recorded in these traces, so the number of holders is compared.
      long holders = count.keySet().stream().filter(row -> row >= 0).count();
      long none = count.containsKey(-1) ? 1 : 0;
      assertThat((long) weights.count(StackTable.NONE)).isEqualTo(holders + none);
    }
  }

  /** The row of the allocation that contained an address and ended last; -1 if there is none. */
  private static int lastHolder(Lifetimes lifetimes, SizeRules sizes, long address, int event) {
    int last = -1;
    for (int row = 0; row < lifetimes.size(); row++) {
      long start = lifetimes.address(row);
      if (lifetimes.endEvent(row) <= event
          && start <= address
          && address < start + lifetimes.allocatedBytes(row, sizes)
          && (last < 0 || lifetimes.endEvent(row) > lifetimes.endEvent(last))) {
        last = row;
      }
    }
    return last;
  }
}
