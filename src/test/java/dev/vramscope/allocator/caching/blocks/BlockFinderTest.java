package dev.vramscope.allocator.caching.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.device.sim.SimDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockFinderTest {
  private static final int BLOCK_BYTES = 512;

  @Test
  void repeatedSearchesTakeFewSteps() {
    Blocks blocks = new Blocks();
    Segments segments = new Segments();
    HeldSegment segment = new HeldSegment(segments.takeNumber(), 0, 1 << 20, 0);
    int count = 10_000;
    long bytes = (long) count * BLOCK_BYTES;
    int last = blocks.create(segment.address(), bytes, 0, 0, Blocks.MAPPED, segment);
    segments.add(segment, last);
    SegmentLayout layout = new SegmentLayout(blocks, segments);
    for (int i = 1; i < count; i++) {
      layout.splitFront(last, BLOCK_BYTES);
    }
    BlockFinder finder = new BlockFinder(blocks, segments);
    assertEquals(last, finder.find(segment.address() + bytes - 1));
    assertEquals(count - 1, finder.steps());
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      long address = segment.address() + random.nextLong(bytes);
      int found = finder.find(address);
      assertThat(address).isBetween(blocks.address(found), blocks.endAddress(found) - 1);
    }
    assertThat(finder.steps()).isLessThan(count + 1000L * BlockFinder.STRIDE);
    assertEquals(Blocks.NONE, finder.find(segment.address() - 1));
    assertEquals(Blocks.NONE, finder.find(segment.address() + bytes));
  }

  /** Marks become stale when blocks are split, coalesced and released, and slots are reused. */
  @ParameterizedTest
  @ValueSource(strings = {"", "expandable_segments:True"})
  void findsTheSameBlockAsALinearSearch(String settings) {
    CachingAllocator allocator =
        new CachingAllocator(SimDevice.ofBytes(256L << 20), CachingOptions.of(settings));
    SplittableRandom random = new SplittableRandom(2);
    List<Long> live = new ArrayList<>();
    for (int round = 0; round < 40; round++) {
      for (int i = 0; i < 400; i++) {
        if (live.size() < 900 && random.nextInt(100) < 60) {
          live.add(allocator.allocate(1 + random.nextInt(4000), random.nextInt(2)));
        } else if (!live.isEmpty()) {
          allocator.free(live.remove(random.nextInt(live.size())));
        }
      }
      if (round % 8 == 7) {
        live.forEach(allocator::free);
        live.clear();
        allocator.emptyCache();
      }
      List<SegmentView> segments = new ArrayList<>();
      allocator.visitSegments(segments::add);
      for (SegmentView segment : segments) {
        for (int i = 0; i < 40; i++) {
          long address = segment.address() + random.nextLong(segment.bytes() + 512);
          assertEquals(linearSearch(segments, address), allocator.blockAt(address));
        }
      }
    }
  }

  private static @Nullable BlockView linearSearch(List<SegmentView> segments, long address) {
    for (SegmentView segment : segments) {
      for (BlockView block : segment.blocks()) {
        if (block.address() <= address && address < block.endAddress()) {
          return block;
        }
      }
    }
    return null;
  }
}
