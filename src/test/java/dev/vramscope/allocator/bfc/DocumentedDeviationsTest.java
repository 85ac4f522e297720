package dev.vramscope.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.device.sim.SimSubAllocator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import dev.vramscope.device.sim.SubAllocatorSettings.Placement;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Traces that make XLA's allocator hang or abort its process; see docs/decisions/0010. */
class DocumentedDeviationsTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private static long allocate(BfcAllocator allocator, long bytes) {
    long block = allocator.tryAllocate(bytes, 64, 0, AllocationAttributes.DEFAULT);
    allocator.checkInvariants();
    return block;
  }

  private static BfcAllocator partitioned(long limit, SimSubAllocator device) {
    BfcOptions options = BfcOptions.of("GPU_0_bfc", limit).withPartitioned(true);
    return BfcAllocator.forReplay(options, device);
  }

  /** In XLA the size doubles past 2^64 to 0, and the next extension does not terminate. */
  @Test
  void nextRegionSizeSaturates() {
    SubAllocatorSettings smallRegions =
        new SubAllocatorSettings(
            1L << 40, 1L << 50, 1, 256, 0, MIB, false, false, Placement.BUMP, Set.of());
    BfcAllocator allocator =
        BfcAllocator.forReplay(
            BfcOptions.of("GPU_0_bfc", GIB).withGrowing(true), new SimSubAllocator(smallRegions));
    // The timeout only turns a hang into a failure.
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          for (int i = 0; i < 100; i++) {
            assertNotEquals(Allocator.NO_BLOCK, allocate(allocator, 600 << 10));
          }
        });
    assertEquals(Long.MIN_VALUE, allocator.statistics().nextRegionBytes(), "2^63, unsigned");
    assertEquals(100, allocator.statistics().regionCount());
  }

  @Test
  void partitionedPoolAllocatesFromASecondRegion() {
    SimSubAllocator device = new SimSubAllocator(SubAllocatorSettings.ofCapacity(102 * MIB));
    BfcAllocator allocator = partitioned(200 * MIB, device);
    allocate(allocator, 10 * MIB);
    device.setCapacityBytes(256 * MIB);
    assertNotEquals(Allocator.NO_BLOCK, allocate(allocator, 95 * MIB));
    assertThat(allocator.statistics().regionCount()).isEqualTo(2);
  }

  @Test
  void eachRegionOfAPartitionedPoolBecomesAGapAgain() {
    SimSubAllocator device = new SimSubAllocator(SubAllocatorSettings.ofCapacity(102 * MIB));
    BfcAllocator allocator = partitioned(200 * MIB, device);
    long first = allocate(allocator, 100_306_688);
    device.setCapacityBytes(256 * MIB);
    long second = allocate(allocator, 30 * MIB);
    assertNotEquals(Allocator.NO_BLOCK, second);
    allocator.free(first);
    allocator.checkInvariants();
    allocator.free(second);
    allocator.checkInvariants();
    assertThat(allocator.state().regions())
        .allSatisfy(
            region ->
                assertThat(region.chunks())
                    .singleElement()
                    .satisfies(gap -> assertEquals(Tag.CENTRAL_GAP, gap.tag())));
  }

  /** A device of 80 GiB: JAX requests three quarters, and another process uses 30 GiB. */
  @Test
  void allocatesFromADeviceThatAnotherProcessPartlyUses() {
    SubAllocatorSettings device =
        new SubAllocatorSettings(
            1L << 40, 50 * GIB, 2 * MIB, 256, 0, 0, false, false, Placement.BUMP, Set.of());
    BfcAllocator allocator = partitioned(60 * GIB, new SimSubAllocator(device));
    assertNotEquals(Allocator.NO_BLOCK, allocate(allocator, 48 * GIB));
    allocate(allocator, 1100 * MIB);
    assertThat(allocator.statistics().bytesInUse()).isGreaterThanOrEqualTo(48 * GIB);
  }

  /** In XLA a fraction that rounds to 0 bytes splits off chunks of size 0. */
  @Test
  void exactFitIsNotSplit() {
    BfcAllocator allocator =
        BfcAllocator.forReplay(
            BfcOptions.of("GPU_0_bfc", MIB).withFragmentationFraction(1e-9),
            new SimSubAllocator(SubAllocatorSettings.ofCapacity(MIB)));
    assertNotEquals(Allocator.NO_BLOCK, allocate(allocator, MIB));
    assertThat(allocator.state().regions().getFirst().chunks()).hasSize(1);
  }
}
