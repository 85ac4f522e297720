package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.postmortem.frees.BlockRanking;
import dev.vramscope.postmortem.frees.FreeHistogram;
import dev.vramscope.postmortem.frees.FreeHistogram.SizeClass;
import dev.vramscope.postmortem.frees.FreePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** All layouts of a segment of a few cells: the report's numbers against exhaustive search. */
class SmallLayoutsTest {
  private static final long CELL = 10L << 20;
  private static final int CELLS = 7;
  private static final long ADDRESS = 1L << 40;

  private int plans;
  private int rankings;

  /** Runs of cells: positive numbers are live blocks, negative ones free blocks. */
  private static void layouts(List<Integer> runs, int left, List<List<Integer>> found) {
    if (left == 0) {
      found.add(List.copyOf(runs));
    }
    for (int cells = 1; cells <= left; cells++) {
      for (int run : new int[] {cells, -cells}) {
        // Adjacent free blocks are always coalesced.
        if (run > 0 || runs.isEmpty() || runs.getLast() > 0) {
          runs.add(run);
          layouts(runs, left - cells, found);
          runs.removeLast();
        }
      }
    }
  }

  @Test
  void cheapestFreesRankingAndHistogramAreThoseOfExhaustiveSearch() {
    List<List<Integer>> layouts = new ArrayList<>();
    layouts(new ArrayList<>(), CELLS, layouts);
    for (List<Integer> layout : layouts) {
      for (int asked = 2; asked <= CELLS; asked++) {
        int request = asked;
        if (layout.stream().noneMatch(run -> -run >= request)) {
          check(layout, asked);
        }
      }
    }
    assertThat(plans).isGreaterThan(1000);
    assertThat(rankings).isGreaterThan(1000);
  }

  private void check(List<Integer> layout, int asked) {
    OomReport report = report(layout, asked * CELL);
    long least = Long.MAX_VALUE;
    long largestOfOne = 0;
    for (int freed = 1; freed < 1 << layout.size(); freed++) {
      long cost = 0;
      boolean isLive = true;
      for (int i = 0; i < layout.size(); i++) {
        if ((freed >>> i & 1) != 0) {
          isLive &= layout.get(i) > 0;
          cost += layout.get(i) * CELL;
        }
      }
      if (isLive && largestHole(layout, freed) >= asked) {
        least = Math.min(least, cost);
      }
      if (isLive && Integer.bitCount(freed) == 1) {
        largestOfOne =
            Math.max(largestOfOne, holeAt(layout, Integer.numberOfTrailingZeros(freed)) * CELL);
      }
    }
    String text = layout + " asked for " + asked;
    List<FreePlan> found = report.frees().cheapest().plans();
    assertThat(found).as(text).isNotEmpty();
    assertThat(found.getFirst().freedBytes()).as(text).isEqualTo(least);
    assertThat(found.getFirst().isLeast()).as(text).isTrue();
    plans++;
    List<BlockRanking.Row> rows = report.frees().ranking().rows();
    assertThat(rows.getFirst().holeBytes()).as(text).isEqualTo(largestOfOne);
    rankings++;
    checkHistogram(layout, report, asked * CELL, text);
  }

  private static void checkHistogram(
      List<Integer> layout, OomReport report, long bytes, String text) {
    FreeHistogram histogram = FreeHistogram.of(report.candidates(), bytes);
    assertThat(histogram.largeEnough()).as(text).isEmpty();
    assertThat(histogram.tooSmall()).as(text).isEqualTo(histogram.classes());
    for (SizeClass each : histogram.classes()) {
      List<Long> sizes =
          layout.stream()
              .map(run -> -run * CELL)
              .filter(size -> size >= each.fromBytes() && size < each.toBytes())
              .toList();
      assertThat(each.total())
          .as(text)
          .isEqualTo(
              new FreeHistogram.Sum(sizes.size(), sizes.stream().mapToLong(size -> size).sum()));
    }
    assertThat(histogram.classes().stream().mapToLong(each -> each.total().count()).sum())
        .isEqualTo(layout.stream().filter(run -> run < 0).count());
  }

  private static long largestHole(List<Integer> layout, int freed) {
    long largest = 0;
    long hole = 0;
    for (int i = 0; i < layout.size(); i++) {
      boolean isFree = layout.get(i) < 0 || (freed >>> i & 1) != 0;
      hole = isFree ? hole + Math.abs(layout.get(i)) : 0;
      largest = Math.max(largest, hole);
    }
    return largest;
  }

  private static long holeAt(List<Integer> layout, int block) {
    long before = block > 0 ? Math.max(0, -layout.get(block - 1)) : 0;
    long after = block + 1 < layout.size() ? Math.max(0, -layout.get(block + 1)) : 0;
    return before + layout.get(block) + after;
  }

  private static OomReport report(List<Integer> layout, long bytes) {
    List<Block> blocks = new ArrayList<>();
    long address = ADDRESS;
    for (int run : layout) {
      long size = Math.abs(run) * CELL;
      blocks.add(
          new Block(
              address,
              size,
              run > 0 ? size : Block.UNKNOWN,
              run > 0 ? BlockState.ALLOCATED : BlockState.INACTIVE,
              StackTable.NONE));
      address += size;
    }
    Segment segment =
        new Segment(ADDRESS, CELLS * CELL, 0, PoolKind.LARGE, PoolId.DEFAULT, false, 0, blocks);
    Trace.Builder rows = new Trace.Builder();
    int row = rows.add(TraceAction.OOM, 0, bytes);
    rows.pool(row, PoolId.DEFAULT);
    rows.oom(row, bytes, 0);
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(segment), rows.build(), List.of());
    Snapshot snapshot =
        new Snapshot(
            new Origin("test", "test", Trace.NO_TIME),
            Optional.of(new AllocatorSettings(Map.of("max_split_size", "-1"))),
            List.of(device),
            StackTable.EMPTY,
            List.of());
    RecordedHistory history = RecordedHistory.of(snapshot.stacks(), device);
    RecordedDevice memory =
        new RecordedDevice(device, history.active(), OptionalLong.of(CELLS * CELL));
    return OomAnalysis.of(
        snapshot,
        device,
        history,
        device.trace().ooms().getFirst(),
        memory.atFailure(device.trace().ooms().getFirst()));
  }
}
