package dev.vramscope.allocator.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.history.History;
import dev.vramscope.allocator.caching.history.History.EarlierEntries;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.PoolId;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Defects of PyTorch 2.14 that are deliberately not reproduced; see decision 10. */
class DocumentedDeviationsTest {
  private static final long MIB = 1L << 20;
  private static final PoolId POOL = new PoolId(0, 7);

  private final SimDevice device = SimDevice.ofBytes(1024 * MIB);
  private final CachingAllocator allocator =
      new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));

  @AfterEach
  void invariantsHold() {
    allocator.checkInvariants();
  }

  /**
   * PyTorch counts acquisitions and subtracts unmapped pieces: with one acquisition that is
   * unmapped in two pieces the count gets too small, and the pool is removed with blocks in it.
   */
  @Test
  void expandablePrivatePoolIsNotRemovedBeforeItsLastBlock() {
    allocator.memoryPools().beginAllocate(POOL, stream -> true);
    long first = allocator.allocate(40 * MIB, 0);
    long kept = allocator.allocate(40 * MIB, 0);
    long last = allocator.allocate(40 * MIB, 0);
    allocator.memoryPools().endAllocate(POOL);
    allocator.free(first);
    allocator.free(last);
    allocator.memoryPools().release(POOL);
    allocator.emptyCache();
    assertEquals(40 * MIB, device.usedBytes());
    allocator.checkInvariants();
    allocator.free(kept);
    allocator.emptyCache();
    assertEquals(0, device.usedBytes());
    assertThrows(UnknownPoolException.class, () -> allocator.memoryPools().useCount(POOL));
  }

  /**
   * PyTorch may release a block that became oversize by a change of settings while other parts of
   * its segment are in use.
   */
  @Test
  void splitBlockThatBecameOversizeIsNotReleased() {
    allocator.configure("expandable_segments:False");
    allocator.free(allocator.allocate(600 * MIB, 0));
    long kept = allocator.allocate(100 * MIB, 0);
    allocator.configure("max_split_size_mb:200");
    assertThrows(OutOfDeviceMemoryException.class, () -> allocator.allocate(700 * MIB, 0));
    assertEquals(600 * MIB, device.usedBytes());
    allocator.free(kept);
  }

  /** PyTorch writes past the end of its ring when its maximum is reduced while it writes there. */
  @Test
  void reducedHistoryStaysWithinItsBounds() {
    History history = allocator.history();
    history.start(20, EarlierEntries.REMOVE, Set.of());
    for (int i = 0; i < 9; i++) {
      allocator.free(allocator.allocate(700, 0));
    }
    history.start(3, EarlierEntries.KEEP, Set.of());
    for (int i = 0; i < 50; i++) {
      allocator.free(allocator.allocate(700 + i, 0));
    }
    assertThat(history.entries()).hasSize(20);
    assertThat(history.overwrittenCount()).isPositive();
  }

  /** PyTorch fails an assertion during a request when a fallback pool has no user. */
  @Test
  void releasedPoolIsNoFallback() {
    allocator.configure("expandable_segments:False");
    allocator.memoryPools().beginAllocate(POOL, stream -> true);
    long block = allocator.allocate(300 * MIB, 0);
    allocator.memoryPools().endAllocate(POOL);
    allocator.memoryPools().setUsedOnOutOfMemory(POOL, true);
    allocator.free(block);
    allocator.memoryPools().release(POOL);
    long large = allocator.allocate(900 * MIB, 0);
    // The memory of the pool was released for it, as any cached memory.
    assertEquals(900 * MIB, device.usedBytes());
    allocator.free(large);
    assertThrows(UnknownPoolException.class, () -> allocator.memoryPools().useCount(POOL));
  }
}
