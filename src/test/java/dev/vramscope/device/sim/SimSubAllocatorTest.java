package dev.vramscope.device.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.device.sim.SubAllocatorSettings.Placement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimSubAllocatorTest {
  private static final long BASE = 1L << 40;
  private static final long KIB = 1L << 10;

  private static SimSubAllocator source(
      Placement placement, long gap, boolean honoursRequestedAlignment) {
    return new SimSubAllocator(
        new SubAllocatorSettings(
            BASE,
            64 * KIB,
            KIB,
            256,
            gap,
            0,
            true,
            honoursRequestedAlignment,
            placement,
            Set.of(3L)));
  }

  @Test
  void sizesAreRoundedUpToTheGranularity() {
    SimSubAllocator source = source(Placement.BUMP, 0, false);
    assertEquals(2 * KIB, source.bytesAt(source.allocate(256, KIB + 1)));
  }

  @Test
  void firstFitReusesGaps() {
    SimSubAllocator source = source(Placement.FIRST_FIT, 0, false);
    source.allocate(256, 4 * KIB);
    source.allocate(256, 4 * KIB);
    assertEquals(0, source.allocate(256, KIB), "the third call fails");
    source.free(BASE, 4 * KIB);
    assertEquals(BASE + 8 * KIB, source.allocate(256, 5 * KIB));
    assertEquals(BASE, source.allocate(256, 4 * KIB));
  }

  @Test
  void bumpAndDownLeaveGapsAndNeverReuseAddresses() {
    SimSubAllocator bump = source(Placement.BUMP, KIB, false);
    assertEquals(BASE, bump.allocate(256, KIB));
    bump.free(BASE, KIB);
    assertEquals(BASE + 2 * KIB, bump.allocate(256, KIB));
    SimSubAllocator down = source(Placement.DOWN, KIB, false);
    assertEquals(2 * BASE - KIB, down.allocate(256, KIB));
    assertEquals(2 * BASE - 3 * KIB, down.allocate(256, KIB));
  }

  @Test
  void requestedAlignmentIsRespectedIfConfigured() {
    SimSubAllocator ignoring = source(Placement.BUMP, 0, false);
    ignoring.allocate(256, KIB);
    assertEquals(BASE + KIB, ignoring.allocate(4 * KIB, KIB));
    SimSubAllocator honouring = source(Placement.BUMP, 0, true);
    honouring.allocate(256, KIB);
    assertEquals(BASE + 4 * KIB, honouring.allocate(4 * KIB, KIB));
  }

  @Test
  void failedAttemptsAreRecorded() {
    SimSubAllocator source = source(Placement.BUMP, 0, false);
    assertEquals(0, source.allocate(256, 65 * KIB));
    source.setMaxBlockBytes(KIB);
    assertEquals(0, source.allocate(256, 2 * KIB));
    source.setCapacityBytes(0);
    assertEquals(0, source.allocate(256, KIB));
    assertEquals(3, source.counts().failures());
    assertEquals(
        List.of(65 * KIB, 2 * KIB, KIB),
        source.drainAttempts().stream().map(SimSubAllocator.Attempt::requestedBytes).toList());
    assertEquals(List.of(), source.drainAttempts());
  }

  @Test
  void adjacentAllocationsAreFreedInOneCall() {
    SimSubAllocator source = source(Placement.BUMP, 0, false);
    source.allocate(256, KIB);
    source.allocate(256, KIB);
    source.free(BASE, 2 * KIB);
    assertEquals(0, source.counts().live());
    assertEquals(64 * KIB, source.freeBytes());
    assertThrows(IllegalArgumentException.class, () -> source.bytesAt(BASE));
  }
}
