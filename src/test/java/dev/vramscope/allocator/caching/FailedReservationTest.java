package dev.vramscope.allocator.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.PoolId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reservations that a failed request leaves without mapped pages stay, as in PyTorch. */
class FailedReservationTest {
  private static final long MIB = 1L << 20;
  private static final PoolId POOL = new PoolId(0, 7);

  private final SimDevice device = SimDevice.ofBytes(1024 * MIB);
  private final CachingAllocator allocator =
      new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));

  @AfterEach
  void invariantsHold() {
    allocator.checkInvariants();
  }

  private void failRequest() {
    assertThrows(OutOfDeviceMemoryException.class, () -> allocator.allocate(1100 * MIB, 0));
  }

  @Test
  void staysWhenTheCacheIsEmptied() {
    failRequest();
    allocator.emptyCache();
    assertEquals(0, device.virtualMemory().freeReservationCount());
    assertThat(allocator.expandableSegments()).hasSize(1);
  }

  /** Its page size, which is of the time of the failed request, decides the reserved bytes. */
  @Test
  void servesLaterRequestsWithItsPageSize() {
    failRequest();
    allocator.emptyCache();
    allocator.configure("large_segment_size_mb:12,expandable_segments:True");
    allocator.allocate(13 * MIB, 0);
    assertEquals(1, device.virtualMemory().reserveCount());
    assertEquals(20 * MIB, allocator.totals().reservedBytes());
  }

  @Test
  void isReleasedWithItsSegmentOnceItWasUsed() {
    failRequest();
    allocator.free(allocator.allocate(13 * MIB, 0));
    allocator.emptyCache();
    assertEquals(1, device.virtualMemory().freeReservationCount());
    assertThat(allocator.expandableSegments()).isEmpty();
  }

  @Test
  void outlivesItsPrivatePool() {
    allocator.memoryPools().beginAllocate(POOL, stream -> true);
    failRequest();
    allocator.memoryPools().endAllocate(POOL);
    allocator.memoryPools().release(POOL);
    allocator.emptyCache();
    assertThrows(UnknownPoolException.class, () -> allocator.memoryPools().useCount(POOL));
    assertEquals(0, device.virtualMemory().freeReservationCount());
    assertThat(allocator.expandableSegments()).hasSize(1);
    allocator.memoryPools().beginAllocate(POOL, stream -> true);
    allocator.free(allocator.allocate(13 * MIB, 0));
    assertEquals(2, device.virtualMemory().reserveCount());
  }
}
