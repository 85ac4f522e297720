package dev.vramscope.allocator.pinned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.device.sim.SimDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PinnedAllocatorTest {
  private static final long MIB = 1 << 20;

  private final SimDevice device = SimDevice.ofBytes(64 * MIB);
  private final PinnedAllocator pinned = allocator(PinnedSettings.DEFAULT);
  private long nanos;

  private PinnedAllocator allocator(PinnedSettings settings) {
    return new PinnedAllocator(device, settings, () -> nanos += 2000);
  }

  @Test
  void requestsAreRoundedToPowersOfTwoAndShareBlocks() {
    long first = pinned.allocate(5000);
    long address = pinned.address(first);
    assertThat(pinned.statistics().activeBytes().current()).isEqualTo(8192);
    pinned.free(first);

    assertThat(pinned.address(pinned.allocate(4097))).isEqualTo(address);
    assertThat(pinned.address(pinned.allocate(4096))).isNotEqualTo(address);
    assertThat(pinned.statistics().byTorchName())
        .containsEntry("num_host_alloc", 2L)
        .containsEntry("active_requests.allocated", 3L)
        .containsEntry("allocations.current", 2L);
  }

  @Test
  void lastFreedOfEqualBlocksIsReusedFirst() {
    long a = pinned.allocate(4096);
    long b = pinned.allocate(4096);
    long last = pinned.address(a);
    pinned.free(b);
    pinned.free(a);

    assertThat(pinned.address(pinned.allocate(4096))).isEqualTo(last);
  }

  @Test
  void blockIsReusedAfterAllItsStreamsCompleted() {
    int one = device.streams().create();
    int two = device.streams().create();
    long block = pinned.allocate(MIB);
    long address = pinned.address(block);
    pinned.recordStream(block, one);
    pinned.recordStream(block, two);
    pinned.recordStream(block, one);
    pinned.free(block);
    assertThat(device.streams().recordCount()).isEqualTo(2);
    assertThat(pinned.statistics().activeRequests().current()).isEqualTo(1);

    assertThat(pinned.address(pinned.allocate(MIB))).isNotEqualTo(address);
    device.streams().synchronize(one);
    assertThat(pinned.address(pinned.allocate(MIB))).isNotEqualTo(address);
    pinned.checkInvariants();

    device.streams().synchronize(two);
    assertThat(pinned.address(pinned.allocate(MIB))).isEqualTo(address);
    pinned.checkInvariants();
  }

  @Test
  void requestsAboveTheThresholdAreNotRounded() {
    PinnedAllocator exact = allocator(new PinnedSettings(MIB, Long.MAX_VALUE, 0));
    long large = exact.allocate(3 * MIB + 1);
    assertThat(exact.statistics().allocatedBytes().current()).isEqualTo(3 * MIB + 1);
    long address = exact.address(large);
    exact.free(large);

    // The block serves a smaller request of its bucket, but none of the bucket below.
    long smaller = exact.allocate(3 * MIB);
    assertThat(exact.address(smaller)).isEqualTo(address);
    exact.free(smaller);
    assertThat(exact.address(exact.allocate(2 * MIB))).isNotEqualTo(address);
    assertThat(exact.address(exact.allocate(MIB))).isNotEqualTo(address);
  }

  @Test
  void smallestFittingBlockIsReused() {
    PinnedAllocator exact = allocator(new PinnedSettings(0, Long.MAX_VALUE, 0));
    long three = exact.allocate(3 * MIB);
    long almostFour = exact.allocate(4 * MIB - 1);
    long address = exact.address(three);
    exact.free(three);
    exact.free(almostFour);

    assertThat(exact.address(exact.allocate(3 * MIB - 5))).isEqualTo(address);
  }

  @Test
  void blocksAboveTheCacheLimitAreReleasedWhenFree() {
    PinnedAllocator small = allocator(new PinnedSettings(Long.MAX_VALUE, MIB, 0));
    int stream = device.streams().create();
    long now = small.allocate(2 * MIB);
    long later = small.allocate(2 * MIB);
    small.recordStream(later, stream);
    small.free(now);
    small.free(later);
    assertThat(device.hostMemory().usedBytes()).isEqualTo(2 * MIB);

    device.streams().synchronize(stream);
    small.free(small.allocate(MIB));
    assertThat(device.hostMemory().usedBytes()).isEqualTo(MIB);
    assertThat(small.statistics().freeTime().count()).isEqualTo(2);
    small.checkInvariants();
  }

  @Test
  void reserveIsAllocatedOnceAndNeverReleased() {
    PinnedAllocator reserving = allocator(new PinnedSettings(Long.MAX_VALUE, 0, 4 * MIB));
    long a = reserving.allocate(MIB);
    long b = reserving.allocate(2 * MIB);
    assertThat(reserving.address(b)).isEqualTo(reserving.address(a) + MIB);
    assertThat(device.hostMemory().usedBytes()).isEqualTo(4 * MIB);

    long outside = reserving.allocate(2 * MIB);
    assertThat(device.hostMemory().usedBytes()).isEqualTo(6 * MIB);
    reserving.free(a);
    reserving.free(b);
    reserving.free(outside);
    reserving.emptyCache();
    assertThat(device.hostMemory().usedBytes()).isEqualTo(4 * MIB);
    reserving.checkInvariants();
  }

  @Test
  void blocksInTheReserveArePageAligned() {
    PinnedAllocator reserving = allocator(new PinnedSettings(0, Long.MAX_VALUE, MIB));
    long first = reserving.address(reserving.allocate(1));
    long second = reserving.address(reserving.allocate(5000));
    long third = reserving.address(reserving.allocate(8));
    assertThat(List.of(second - first, third - second)).containsExactly(4096L, 8192L);
    assertThat(first % 4096).isZero();
    assertThat(reserving.statistics().allocatedBytes().current()).isEqualTo(1 + 5000 + 8);
    reserving.checkInvariants();
  }

  @Test
  void emptyingTheCacheReleasesUnusedBlocks() {
    long used = pinned.allocate(MIB);
    pinned.free(pinned.allocate(2 * MIB));
    pinned.emptyCache();

    assertThat(device.hostMemory().usedBytes()).isEqualTo(MIB);
    assertThat(pinned.statistics().allocations().current()).isEqualTo(1);
    pinned.free(used);
  }

  @Test
  void retriesAfterReleasingTheCache() {
    pinned.free(pinned.allocate(MIB));
    device.hostMemory().failRequests(1);

    assertThat(pinned.allocate(2 * MIB)).isNotEqualTo(PinnedAllocator.NO_BLOCK);
    assertThat(device.hostMemory().usedBytes()).isEqualTo(2 * MIB);
  }

  @Test
  void failureReportsRequestedAndAllocatedBytes() {
    pinned.allocate(MIB);
    device.hostMemory().failRequests(2);

    assertThatThrownBy(() -> pinned.allocate(3 * MIB))
        .isInstanceOf(OutOfPinnedMemoryException.class)
        .hasMessageContaining("Tried to allocate 4194304 bytes; 1048576 bytes are allocated");
    pinned.checkInvariants();
  }

  @Test
  void rejectsInvalidArguments() {
    long block = pinned.allocate(100);
    pinned.free(block);

    assertThatThrownBy(() -> pinned.free(block)).hasMessageContaining("freed already");
    assertThatThrownBy(() -> pinned.recordStream(block, 0)).hasMessageContaining("handle");
    assertThatThrownBy(() -> pinned.allocate(-1)).hasMessageContaining("got -1");
    assertThat(pinned.allocate(0)).isEqualTo(PinnedAllocator.NO_BLOCK);
    assertThat(pinned.address(PinnedAllocator.NO_BLOCK)).isZero();
    pinned.free(PinnedAllocator.NO_BLOCK);
  }

  @Test
  void statisticsHavePyTorchNames() {
    pinned.free(pinned.allocate(MIB));
    pinned.emptyCache();
    pinned.resetPeakStatistics();

    assertThat(pinned.statistics().byTorchName())
        .containsEntry("active_bytes.peak", 0L)
        .containsEntry("active_bytes.allocated", MIB)
        .containsEntry("allocated_bytes.freed", MIB)
        .containsEntry("host_alloc_time.total", 2L)
        .containsEntry("host_alloc_time.avg", 2L)
        .containsEntry("host_free_time.count", 1L)
        .containsEntry("num_host_free", 1L)
        .hasSize(28);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void invariantsHoldForRandomOperations(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PinnedAllocator tested =
        allocator(
            new PinnedSettings(
                random.nextLong(0, 64 << 10),
                random.nextLong(0, 64 << 10),
                MIB * random.nextInt(2)));
    int streams = 3;
    for (int i = 1; i < streams; i++) {
      device.streams().create();
    }
    List<Long> live = new ArrayList<>();
    for (int step = 0; step < 2000; step++) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> live.add(tested.allocate(random.nextLong(1, 128 << 10)));
        case 3, 4 -> {
          if (!live.isEmpty()) {
            tested.free(live.remove(random.nextInt(live.size())));
          }
        }
        case 5 -> {
          if (!live.isEmpty()) {
            tested.recordStream(live.get(random.nextInt(live.size())), random.nextInt(streams));
          }
        }
        case 6 -> device.streams().advance(random.nextInt(streams), 1 + random.nextInt(3));
        default -> {
          if (random.nextInt(20) == 0) {
            tested.emptyCache();
          }
        }
      }
      tested.checkInvariants();
    }
    live.forEach(tested::free);
    device.streams().synchronizeAll();
    tested.emptyCache();
    tested.checkInvariants();
    assertThat(tested.statistics().activeBytes().current()).as("seed %d", seed).isZero();
  }

  @Test
  void concurrentThreadsGetDistinctBlocks() throws Exception {
    PinnedAllocator shared = new PinnedAllocator(device, PinnedSettings.DEFAULT, System::nanoTime);
    Set<Long> inUse = ConcurrentHashMap.newKeySet();
    try (var pool = Executors.newFixedThreadPool(4)) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        all.add(
            pool.submit(
                () -> {
                  boolean alone = true;
                  for (int i = 0; i < 5000; i++) {
                    long block = shared.allocate(1 + i % 9000);
                    long address = shared.address(block);
                    alone &= inUse.add(address);
                    inUse.remove(address);
                    shared.free(block);
                  }
                  return alone;
                }));
      }
      for (Future<Boolean> alone : all) {
        assertThat(alone.get()).isTrue();
      }
    }
    shared.checkInvariants();
    assertThat(shared.statistics().activeRequests().allocated()).isEqualTo(20_000);
  }
}
