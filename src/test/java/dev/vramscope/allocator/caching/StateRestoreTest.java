package dev.vramscope.allocator.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An allocator that continues from the state of another one does the same from there on. */
class StateRestoreTest {
  private static final long MIB = 1L << 20;

  /** Reservations, an eighth more, are then a multiple of every page size. */
  private static final long DEVICE_BYTES = 640 * MIB;

  private static final long RESERVATION_BYTES = 720 * MIB;

  @ParameterizedTest
  @CsvSource({
    "'', SEGMENT_AGE",
    "expandable_segments:True, SEGMENT_AGE",
    "'max_split_size_mb:32,roundup_power2_divisions:4', SEGMENT_AGE"
  })
  void continuesAsTheOriginal(String settings, TieBreak ties) {
    for (int seed = 0; seed < 30; seed++) {
      compare(settings, ties, seed);
    }
  }

  private static void compare(String settings, TieBreak ties, int seed) {
    List<Workload.Step> steps =
        Workload.random(seed, 900).stream()
            .filter(step -> step.kind() != Workload.Kind.RECORD_STREAM)
            .toList();
    int cut = new SplittableRandom(seed).nextInt(steps.size());
    CachingAllocator original = allocator(settings, ties);
    Map<Integer, Long> live = new HashMap<>();
    run(original, steps.subList(0, cut), live);

    CachingAllocator restored = allocator(settings, ties);
    restored.setMemoryFraction(original.memoryFraction());
    Map<Long, Long> handles = new HashMap<>();
    restored.restore(segments(original), (block, handle) -> handles.put(block.address(), handle));
    restored.checkInvariants();
    Map<Integer, Long> sameLive = new HashMap<>();
    live.forEach((id, handle) -> sameLive.put(id, handles.get(original.address(handle))));
    assertThat(layout(restored)).as("restored, seed " + seed).isEqualTo(layout(original));
    assertThat(restored.totals().activeBytes()).isEqualTo(original.totals().activeBytes());

    run(original, steps.subList(cut, steps.size()), live);
    run(restored, steps.subList(cut, steps.size()), sameLive);
    restored.checkInvariants();
    assertThat(layout(restored)).as("continued, seed " + seed).isEqualTo(layout(original));
    assertThat(sameLive.keySet()).isEqualTo(live.keySet());
  }

  private static CachingAllocator allocator(String settings, TieBreak ties) {
    return new CachingAllocator(
        SimDevice.ofBytes(DEVICE_BYTES), CachingOptions.of(settings).withTieBreak(ties));
  }

  private static void run(
      CachingAllocator allocator, List<Workload.Step> steps, Map<Integer, Long> live) {
    for (Workload.Step step : steps) {
      switch (step.kind()) {
        case ALLOCATE -> {
          try {
            live.put(step.id(), allocator.allocate(step.bytes(), step.stream()));
          } catch (OutOfDeviceMemoryException full) {
            // Both allocators fail here, or their layouts differ in the end.
          }
        }
        case FREE -> {
          Long handle = live.remove(step.id());
          if (handle != null) {
            allocator.free(handle);
          }
        }
        case EMPTY_CACHE -> allocator.emptyCache();
        case SET_FRACTION -> allocator.setMemoryFraction(step.bytes() / 100.0);
        case RECORD_STREAM, SYNCHRONIZE -> {
          // No block is used by a second stream.
        }
      }
    }
  }

  private static List<RestoredSegment> segments(CachingAllocator allocator) {
    TreeMap<Long, List<SegmentView>> byAge = new TreeMap<>();
    allocator
        .snapshot(PoolId.DEFAULT)
        .forEach(
            view -> byAge.computeIfAbsent(view.registration(), _ -> new ArrayList<>()).add(view));
    return byAge.values().stream().map(StateRestoreTest::segment).toList();
  }

  private static RestoredSegment segment(List<SegmentView> runs) {
    SegmentView first = runs.getFirst();
    List<Block> blocks =
        runs.stream()
            .flatMap(run -> run.blocks().stream())
            .map(
                block ->
                    new Block(
                        block.address(), block.bytes(), block.requestedBytes(), block.state(), 0))
            .toList();
    return new RestoredSegment(
        first.expandable() ? reservation(first.address()) : first.address(),
        first.stream(),
        first.large() ? PoolKind.LARGE : PoolKind.SMALL,
        first.pool(),
        first.expandable(),
        blocks);
  }

  private static long reservation(long address) {
    long base = SimDevice.RESERVATION_BASE;
    return base + (address - base) / RESERVATION_BYTES * RESERVATION_BYTES;
  }

  /** Segments in order of age, with the offsets, sizes and states of their blocks. */
  private static List<String> layout(CachingAllocator allocator) {
    return allocator.snapshot(PoolId.DEFAULT).stream()
        .sorted(
            Comparator.comparingLong(SegmentView::registration)
                .thenComparingLong(SegmentView::address))
        .map(
            segment ->
                segment.stream()
                    + " "
                    + segment.large()
                    + segment.blocks().stream()
                        .map(block -> " " + block.bytes() + block.state())
                        .toList())
        .toList();
  }

  @Test
  void onlyAnEmptyAllocatorCanBeRestored() {
    CachingAllocator allocator = allocator("", TieBreak.SEGMENT_AGE);
    allocator.allocate(1, 0);
    assertThrows(
        IllegalStateException.class, () -> allocator.restore(List.of(), (block, handle) -> {}));
  }

  @Test
  void blocksMustCoverTheirSegment() {
    List<Block> gap =
        List.of(
            new Block(0x1000, 512, 512, BlockState.ALLOCATED, 0),
            new Block(0x1400, 512, 512, BlockState.ALLOCATED, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new RestoredSegment(0x1000, 0, PoolKind.SMALL, PoolId.DEFAULT, false, gap));
  }

  @Test
  void expandableSegmentsConsistOfWholePages() {
    RestoredSegment half =
        new RestoredSegment(
            0x1000,
            0,
            PoolKind.SMALL,
            PoolId.DEFAULT,
            true,
            List.of(new Block(0x1000, MIB, 512, BlockState.ALLOCATED, 0)));
    CachingAllocator allocator = allocator("expandable_segments:True", TieBreak.SEGMENT_AGE);
    assertThrows(
        IllegalArgumentException.class,
        () -> allocator.restore(List.of(half), (block, handle) -> {}));
  }
}
