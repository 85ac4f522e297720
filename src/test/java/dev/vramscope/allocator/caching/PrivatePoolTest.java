package dev.vramscope.allocator.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.device.Device;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.PoolId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The lifetime of private pools and of their properties. */
class PrivatePoolTest {
  private static final long MIB = 1L << 20;
  private static final PoolId POOL = new PoolId(0, 5);

  private final SimDevice device = SimDevice.ofBytes(100 * MIB);
  private final CachingAllocator allocator = new CachingAllocator(device, CachingOptions.of(""));

  @AfterEach
  void invariantsHold() {
    allocator.checkInvariants();
  }

  @Test
  void requestInTheScopeOfARemovedPoolFailsAndChangesNothing() {
    allocator.memoryPools().beginAllocate(POOL, stream -> stream == 0);
    allocator.memoryPools().release(POOL);
    allocator.emptyCache();
    assertThrows(UnknownPoolException.class, () -> allocator.allocate(3 * MIB, 0));
    assertEquals(0, device.usedBytes());
    allocator.free(allocator.allocate(3 * MIB, 1));
    allocator.memoryPools().endAllocate(POOL);
    allocator.free(allocator.allocate(3 * MIB, 0));
    allocator.emptyCache();
    assertEquals(0, device.usedBytes());
  }

  @Test
  void scopeUsesAPoolCreatedAgain() {
    allocator.memoryPools().beginAllocate(POOL, stream -> true);
    allocator.memoryPools().release(POOL);
    allocator.emptyCache();
    allocator.memoryPools().createOrUse(POOL);
    allocator.free(allocator.allocate(3 * MIB, 0));
    assertEquals(List.of(POOL), allocator.snapshot(POOL).stream().map(SegmentView::pool).toList());
  }

  /** The cache is released during the request, and with it the last segment of the pool. */
  @Test
  void poolIsNotRemovedDuringTheRequestThatReleasesItsLastMemory() {
    allocator.memoryPools().beginAllocate(POOL, stream -> true);
    allocator.free(allocator.allocate(60 * MIB, 0));
    allocator.memoryPools().release(POOL);
    long block = allocator.allocate(90 * MIB, 0);
    allocator.checkInvariants();
    allocator.free(block);
    assertThrows(OutOfDeviceMemoryException.class, () -> allocator.allocate(101 * MIB, 0));
    allocator.emptyCache();
    assertEquals(0, device.usedBytes());
    assertThrows(UnknownPoolException.class, () -> allocator.memoryPools().useCount(POOL));
  }

  /** With {@code release_lock_on_cudamalloc}, other threads may empty the cache meanwhile. */
  @Test
  void poolIsNotRemovedDuringARequestThatWaitsForTheDriver() {
    Runnable[] duringAllocation = {() -> {}};
    Device slow = new AllocationHookDevice(device, () -> duringAllocation[0].run());
    CachingAllocator other =
        new CachingAllocator(slow, CachingOptions.of("release_lock_on_cudamalloc:True"));
    other.memoryPools().beginAllocate(POOL, stream -> true);
    other.memoryPools().release(POOL);
    duringAllocation[0] = () -> CompletableFuture.runAsync(other::emptyCache).join();
    long block = other.allocate(3 * MIB, 0);
    duringAllocation[0] = () -> {};
    other.checkInvariants();
    other.free(block);
    other.emptyCache();
    assertEquals(0, device.usedBytes());
  }

  @Test
  void fallbackPropertyBelongsToTheIdAndPersists() {
    allocator.memoryPools().setUsedOnOutOfMemory(POOL, true);
    for (int i = 0; i < 2; i++) {
      allocator.memoryPools().beginAllocate(POOL, stream -> true);
      long cached = allocator.allocate(60 * MIB, 0);
      allocator.memoryPools().endAllocate(POOL);
      allocator.free(cached);
      long served = allocator.allocate(50 * MIB, 0);
      assertThat(allocator.snapshot(POOL)).hasSize(1);
      assertEquals(60 * MIB, device.usedBytes());
      allocator.free(served);
      allocator.memoryPools().release(POOL);
      allocator.emptyCache();
      assertEquals(0, device.usedBytes());
    }
    allocator.memoryPools().setUsedOnOutOfMemory(POOL, false);
  }

  @Test
  void splitsStayForbiddenUntilTheLastUserIsRemoved() {
    allocator.memoryPools().forbidSplits(POOL);
    assertEquals(1, blocksAfterASmallerRequest());
    assertEquals(2, blocksAfterASmallerRequest());
  }

  private int blocksAfterASmallerRequest() {
    allocator.memoryPools().beginAllocate(POOL, stream -> true);
    allocator.free(allocator.allocate(40 * MIB, 0));
    long part = allocator.allocate(20 * MIB, 0);
    int blocks = allocator.snapshot(POOL).getFirst().blocks().size();
    allocator.memoryPools().endAllocate(POOL);
    allocator.free(part);
    allocator.memoryPools().release(POOL);
    allocator.emptyCache();
    return blocks;
  }
}
