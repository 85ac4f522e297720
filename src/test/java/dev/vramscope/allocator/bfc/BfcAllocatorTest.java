package dev.vramscope.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.management.ThreadMXBean;
import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.allocator.bfc.AllocationAttributes.OnFailure;
import dev.vramscope.allocator.bfc.log.FailureLogLimit;
import dev.vramscope.allocator.bfc.log.LogEntry;
import dev.vramscope.device.sim.SimSubAllocator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BfcAllocatorTest {
  private static final long MIB = 1L << 20;
  private static final AllocationAttributes FAIL_FAST =
      new AllocationAttributes(AllocationEnd.LOWER, OnFailure.FAIL_FAST, 0);

  private final List<LogEntry> log = new ArrayList<>();
  private final SimSubAllocator device =
      new SimSubAllocator(SubAllocatorSettings.ofCapacity(64 * MIB));

  private BfcAllocator allocator(boolean growing, FailureLogLimit limit) {
    return new BfcAllocator(
        BfcOptions.of("GPU_0_bfc", 64 * MIB).withGrowing(growing),
        device,
        log::add,
        limit,
        RetryClock.virtual());
  }

  private BfcAllocator preallocated() {
    return allocator(false, new FailureLogLimit());
  }

  @Test
  void firstRequestAcquiresTheFirstRegion() {
    BfcAllocator allocator = preallocated();
    assertEquals(0, device.counts().calls());
    allocator.allocate(1, 0);
    assertEquals(64 * MIB, allocator.statistics().poolBytes());
  }

  @Test
  void freedNeighboursCoalesce() {
    BfcAllocator allocator = preallocated();
    long a = allocator.allocate(MIB, 0);
    long b = allocator.allocate(MIB, 0);
    allocator.allocate(MIB, 0);
    allocator.free(a);
    allocator.free(b);
    List<BfcState.ChunkState> chunks = allocator.state().regions().getFirst().chunks();
    assertEquals(2 * MIB, chunks.getFirst().bytes());
    assertEquals(3, chunks.size());
  }

  /** With several regions, dead slots, and slot numbers that are not in address order. */
  @Test
  void blockAtFindsTheBlockThatCoversAnAddress() {
    BfcAllocator allocator = allocator(true, new FailureLogLimit());
    SplittableRandom random = new SplittableRandom(1);
    List<Long> live = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      live.add(allocator.allocate(1 + random.nextInt(20_000), 0));
      if (i % 3 > 0) {
        allocator.free(live.remove(random.nextInt(live.size())));
      }
    }
    List<SegmentView> segments = new ArrayList<>();
    allocator.visitSegments(segments::add);
    assertThat(segments).hasSizeGreaterThan(1);
    for (SegmentView segment : segments) {
      for (BlockView block : segment.blocks()) {
        assertEquals(block, allocator.blockAt(block.address()));
        assertEquals(block, allocator.blockAt(block.address() + block.bytes() - 1));
      }
    }
    assertNull(allocator.blockAt(segments.getFirst().address() - 1));
  }

  @Test
  void eachRegionIsTwiceAsLargeAsTheLast() {
    BfcAllocator allocator = allocator(true, new FailureLogLimit());
    for (int i = 0; i < 14; i++) {
      allocator.allocate(MIB, 0);
    }
    assertThat(allocator.state().regions())
        .extracting(BfcState.RegionState::bytes)
        .containsExactly(2 * MIB, 4 * MIB, 8 * MIB);
  }

  @Test
  void failedRequestMakesFourAttemptsAndIsReportedOnce() {
    BfcAllocator allocator = allocator(true, new FailureLogLimit());
    device.setCapacityBytes(0);
    assertEquals(
        Allocator.NO_BLOCK, allocator.tryAllocate(60 * MIB, 64, 0, AllocationAttributes.DEFAULT));
    assertEquals(1, allocator.totals().outOfMemoryCount());
    long fullTargetAttempts =
        device.drainAttempts().stream().filter(a -> a.requestedBytes() == 64 * MIB).count();
    assertEquals(4, fullTargetAttempts);
    assertThat(log).filteredOn(e -> e.text().contains("ran out of memory")).hasSize(1);
  }

  @Test
  void allocatorsWithASharedLimitLogTenFailuresInTotal() {
    FailureLogLimit limit = new FailureLogLimit();
    BfcAllocator first = allocator(false, limit);
    BfcAllocator second = allocator(false, limit);
    for (int i = 0; i < 7; i++) {
      first.tryAllocate(100 * MIB, 64, 0, FAIL_FAST);
      second.tryAllocate(100 * MIB, 64, 0, FAIL_FAST);
    }
    assertThat(log).hasSize(10);
  }

  @Test
  void rejectsAlignmentThatIsNotAPowerOfTwo() {
    assertThrows(
        IllegalArgumentException.class,
        () -> preallocated().tryAllocate(1, 3, 0, AllocationAttributes.DEFAULT));
  }

  @Test
  void rejectsGrowingPartitionedPool() {
    assertThrows(
        IllegalArgumentException.class,
        () -> BfcOptions.of("GPU_0_bfc", MIB).withGrowing(true).withPartitioned(true));
  }

  @Test
  void jaxLimitIsThreeQuartersRoundedUpToTwoMebibytes() {
    BfcOptions options = BfcOptions.jaxPreallocated(3, 80_000_000_001L, 0.75);
    assertEquals(60_001_615_872L, options.limitBytes());
    assertEquals("GPU_3_bfc", options.name());
  }

  @Test
  void backOffIsComputedInSinglePrecision() {
    assertEquals(46_385_754_112L, Extension.backOff(51_539_730_944L));
    assertEquals(41_747_177_472L, Extension.backOff(46_385_754_112L));
    assertEquals(256, Extension.backOff(512));
    assertEquals(0, Extension.backOff(256));
  }

  @Test
  void allocateAndFreeMakeNoGarbage() {
    BfcAllocator allocator = preallocated();
    long[] blocks = new long[500];
    churn(allocator, blocks);
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    churn(allocator, blocks);
    long garbage = thread.getCurrentThreadAllocatedBytes() - before;
    // Reading the counter may allocate a few bytes; the 100,000 operations allocate none.
    assertThat(garbage).isLessThan(10_000);
  }

  private static void churn(BfcAllocator allocator, long[] blocks) {
    long state = 1;
    for (int i = 0; i < 100_000; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      int choice = (int) (state >>> 33) % blocks.length;
      allocator.free(blocks[choice]);
      blocks[choice] = allocator.allocate(1 + (state >>> 48), 0);
    }
    for (int i = 0; i < blocks.length; i++) {
      allocator.free(blocks[i]);
      blocks[i] = 0;
    }
  }
}
