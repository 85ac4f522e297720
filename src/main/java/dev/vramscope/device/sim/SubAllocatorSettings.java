package dev.vramscope.device.sim;

import java.util.Set;

/**
 * How a {@link SimSubAllocator} behaves.
 *
 * @param base the lowest address, except with {@link Placement#DOWN}
 * @param granularityBytes sizes are rounded up to multiples of this
 * @param alignment addresses are multiples of this
 * @param gapBytes free space between two allocations
 * @param maxBlockBytes larger allocations fail; 0 for no limit
 * @param supportsCoalescing whether adjacent allocations may be used as one
 * @param honoursRequestedAlignment whether the requested alignment is respected, too
 * @param failingCalls the numbers of the calls that always fail, starting at 1
 */
public record SubAllocatorSettings(
    long base,
    long capacityBytes,
    long granularityBytes,
    long alignment,
    long gapBytes,
    long maxBlockBytes,
    boolean supportsCoalescing,
    boolean honoursRequestedAlignment,
    Placement placement,
    Set<Long> failingCalls) {
  /** The address of the next allocation. */
  public enum Placement {
    /** Above the previous one; addresses are never reused. */
    BUMP,
    /** The lowest address where it fits. */
    FIRST_FIT,
    /** Below the previous one; addresses are never reused. */
    DOWN
  }

  private static final long DEFAULT_BASE = 1L << 40;
  private static final long DEFAULT_ALIGNMENT = 256;

  public SubAllocatorSettings {
    if (granularityBytes < 1 || alignment < 1 || gapBytes < 0) {
      throw new IllegalArgumentException(
          "granularity %d and alignment %d must be at least 1, gap %d at least 0"
              .formatted(granularityBytes, alignment, gapBytes));
    }
    failingCalls = Set.copyOf(failingCalls);
  }

  /** A device that allocates exactly the requested sizes at increasing addresses. */
  public static SubAllocatorSettings ofCapacity(long bytes) {
    return new SubAllocatorSettings(
        DEFAULT_BASE,
        bytes,
        1,
        DEFAULT_ALIGNMENT,
        0,
        0,
        /* supportsCoalescing= */ false,
        /* honoursRequestedAlignment= */ false,
        Placement.BUMP,
        Set.of());
  }

  /** The same placement without limits and failing calls. */
  public SubAllocatorSettings unlimited() {
    return new SubAllocatorSettings(
        base,
        Long.MAX_VALUE,
        granularityBytes,
        alignment,
        gapBytes,
        0,
        supportsCoalescing,
        honoursRequestedAlignment,
        placement,
        Set.of());
  }
}
