package dev.vramscope.allocator.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.history.History;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.PoolId;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Defects of PyTorch 2.14 that are not copied. */
class DocumentedDeviationsTest {
  private static final long MIB = 1L << 20;
  private static final PoolId POOL = new PoolId(0, 7);

  private final SimDevice device = SimDevice.ofBytes(1024 * MIB);
  private final CachingAllocator allocator =
      new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));

  @AfterEach
  void lawsHold() {
    allocator.checkInvariants();
  }

  /**
   * The original counts acquisitions and subtracts unmapped pieces: one acquisition that is
   * unmapped in two pieces looks like more than all, and the pool goes with blocks in it.
   */
  @Test
  void anExpandablePrivatePoolOutlivesItsLastBlock() {
    allocator.beginAllocateToPool(POOL, stream -> true);
    long first = allocator.allocate(40 * MIB, 0);
    long kept = allocator.allocate(40 * MIB, 0);
    long last = allocator.allocate(40 * MIB, 0);
    allocator.endAllocateToPool(POOL);
    allocator.free(first);
    allocator.free(last);
    allocator.releasePool(POOL);
    allocator.emptyCache();
    assertEquals(40 * MIB, device.usedBytes());
    allocator.checkInvariants();
    allocator.free(kept);
    allocator.emptyCache();
    assertEquals(0, device.usedBytes());
    assertThrows(UnknownPoolException.class, () -> allocator.poolUseCount(POOL));
  }

  /** The original never gives back a reservation whose first mapping failed. */
  @Test
  void aReservationLeftByAFailedRequestIsGivenBackWithTheCache() {
    assertThrows(OutOfDeviceMemoryException.class, () -> allocator.allocate(1100 * MIB, 0));
    assertEquals(1, device.virtualMemory().reserveCount());
    allocator.emptyCache();
    assertEquals(1, device.virtualMemory().freeReservationCount());
    assertThat(allocator.expandableSegments()).isEmpty();
  }

  /**
   * The original may release a block that became oversize by a change of settings while other parts
   * of its segment are in use.
   */
  @Test
  void aSplitBlockThatBecameOversizeIsNotReleased() {
    allocator.configure("expandable_segments:False");
    allocator.free(allocator.allocate(600 * MIB, 0));
    long kept = allocator.allocate(100 * MIB, 0);
    allocator.configure("max_split_size_mb:200");
    assertThrows(OutOfDeviceMemoryException.class, () -> allocator.allocate(700 * MIB, 0));
    assertEquals(600 * MIB, device.usedBytes());
    allocator.free(kept);
  }

  /** The original writes behind its ring when that is made smaller while it writes near its end. */
  @Test
  void aHistoryMadeSmallerStaysInItsBounds() {
    History history = allocator.history();
    history.start(20, true, Set.of());
    for (int i = 0; i < 9; i++) {
      allocator.free(allocator.allocate(700, 0));
    }
    history.start(3, false, Set.of());
    for (int i = 0; i < 50; i++) {
      allocator.free(allocator.allocate(700 + i, 0));
    }
    assertThat(history.entries()).hasSize(20);
    assertThat(history.overwrittenCount()).isPositive();
  }

  /** The original asserts in the middle of a request when a helper pool has no user any more. */
  @Test
  void aReleasedPoolIsNotAskedForHelp() {
    allocator.configure("expandable_segments:False");
    allocator.beginAllocateToPool(POOL, stream -> true);
    long block = allocator.allocate(300 * MIB, 0);
    allocator.endAllocateToPool(POOL);
    allocator.setUsedOnOutOfMemory(POOL, true);
    allocator.free(block);
    allocator.releasePool(POOL);
    long large = allocator.allocate(900 * MIB, 0);
    allocator.free(large);
  }
}
