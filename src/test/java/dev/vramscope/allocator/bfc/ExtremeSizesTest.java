package dev.vramscope.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.bfc.AllocationAttributes.OnFailure;
import dev.vramscope.allocator.bfc.log.FailureLogLimit;
import dev.vramscope.device.sim.SimSubAllocator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import dev.vramscope.device.sim.SubAllocatorSettings.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sizes near the limits of 64 bits. */
class ExtremeSizesTest {
  private final List<String> log = new ArrayList<>();

  private BfcAllocator allocator(long bytes, boolean partitioned) {
    return new BfcAllocator(
        BfcOptions.of("bfc", bytes).withPartitioned(partitioned),
        new SimSubAllocator(SubAllocatorSettings.ofCapacity(bytes)),
        entry -> log.add(entry.text()),
        new FailureLogLimit(),
        RetryClock.virtual());
  }

  @ParameterizedTest
  @EnumSource(AllocationEnd.class)
  void requestThatRoundsUpToTwoToThe63IsRejectedAndLogged(AllocationEnd end) {
    BfcAllocator allocator = allocator(1 << 20, true);
    allocator.free(allocator.allocate(1000, 0));
    AllocationAttributes attributes = new AllocationAttributes(end, OnFailure.RETRY, 0);
    assertEquals(Allocator.NO_BLOCK, allocator.tryAllocate(Long.MAX_VALUE, 64, 0, attributes));
    assertThat(String.join("\n", log))
        .contains("(rounded to 9223372036854775808)")
        .contains("rounded request 8.00EiB");
    allocator.checkInvariants();
  }

  @Test
  void occupancyBarOfAnExabytePoolIsExact() {
    BfcAllocator allocator = allocator(1L << 60, false);
    allocator.allocate(1L << 59, 0);
    assertEquals("*".repeat(50) + "_".repeat(50), allocator.occupancy());
  }

  @Test
  void simulatedDeviceAlignsNegativeAddressesDownwards() {
    SimSubAllocator source =
        new SimSubAllocator(
            new SubAllocatorSettings(
                0, 1L << 62, 1, 4096, 0, 0, false, false, Placement.DOWN, Set.of()));
    assertEquals(-4096, source.allocate(256, (1L << 40) + 1));
  }
}
