package dev.vramscope.device.sim;

import java.util.Set;

/**
 * How a {@link SimSubAllocator} behaves.
 *
 * @param base lowest address it hands out, except downwards
 * @param granularityBytes sizes are rounded up to multiples of this
 * @param alignment addresses are multiples of this
 * @param gapBytes left free between pieces
 * @param maxBlockBytes larger pieces are refused; 0 for no such limit
 * @param joinsNeighbours whether pieces that touch may be used as one
 * @param honoursAlignment whether the alignment that the caller wants counts too
 * @param failingCalls which calls fail in any case, counted from 1
 */
public record SubAllocatorSettings(
    long base,
    long capacityBytes,
    long granularityBytes,
    long alignment,
    long gapBytes,
    long maxBlockBytes,
    boolean joinsNeighbours,
    boolean honoursAlignment,
    Placement placement,
    Set<Long> failingCalls) {
  /** Where the next piece goes. */
  public enum Placement {
    /** Behind the last one; addresses are never used again. */
    BUMP,
    /** At the lowest address where it fits. */
    FIRST_FIT,
    /** Below the last one; addresses are never used again. */
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

  /** A card of so many bytes that gives exactly what is asked for, one piece behind the other. */
  public static SubAllocatorSettings ofCapacity(long bytes) {
    return new SubAllocatorSettings(
        DEFAULT_BASE, bytes, 1, DEFAULT_ALIGNMENT, 0, 0, false, false, Placement.BUMP, Set.of());
  }

  /** The same places for pieces, every one of which is granted. */
  public SubAllocatorSettings withoutRefusals() {
    return new SubAllocatorSettings(
        base,
        Long.MAX_VALUE,
        granularityBytes,
        alignment,
        gapBytes,
        0,
        joinsNeighbours,
        honoursAlignment,
        placement,
        Set.of());
  }
}
