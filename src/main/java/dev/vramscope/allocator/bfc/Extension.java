package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.RequestStep;
import dev.vramscope.device.SubAllocator;
import dev.vramscope.model.TraceAction;

/**
 * Extends the pool by a region.
 *
 * <p>The target size of a region doubles after each successful extension, and is doubled first
 * until it covers a larger request. If the device refuses the target size, the extension retries
 * with nine tenths of it, repeatedly, down to the size of the request. The target and the
 * unallocated rest of the limit are unsigned: if the device returned more memory than the limit
 * allows, the rest wraps around, as in XLA, and no longer restricts the pool.
 */
final class Extension {
  private static final long FIRST_GROWING_BYTES = 2L << 20;
  private static final float BACK_OFF = 0.9f;
  private static final long TWO_TO_63 = Long.MIN_VALUE;

  private final long limitBytes;
  private final boolean partitioned;
  private final SubAllocator source;
  private final ChunkTable chunks;
  private final Regions regions;
  private final Coalescing coalescing;
  private final Listeners listeners;
  private long targetBytes;

  Extension(
      BfcOptions options,
      SubAllocator source,
      ChunkTable chunks,
      Regions regions,
      Coalescing coalescing,
      Listeners listeners) {
    this.limitBytes = options.limitBytes();
    this.partitioned = options.partitioned();
    this.source = source;
    this.chunks = chunks;
    this.regions = regions;
    this.coalescing = coalescing;
    this.listeners = listeners;
    this.targetBytes =
        roundUp(options.growing() ? Math.min(limitBytes, FIRST_GROWING_BYTES) : limitBytes);
  }

  /** Target size of the next region; unsigned. */
  long targetBytes() {
    return targetBytes;
  }

  long deviceFreeBytes() {
    return source.freeBytes();
  }

  /** Bytes by which the pool may still grow; unsigned. */
  long unallocatedBytes() {
    return limitBytes - regions.poolBytes();
  }

  /**
   * Adds a region. The request may still not fit into it, because the source need not align it.
   *
   * @param rounded the minimum size
   * @return whether the pool has grown
   */
  boolean extend(long alignment, long rounded) {
    long availableBytes = unallocatedBytes() & -ChunkTable.UNIT_BYTES;
    if (Long.compareUnsigned(rounded, availableBytes) > 0) {
      return false;
    }
    boolean raised = raiseTarget(rounded);
    long wantedBytes =
        Long.compareUnsigned(targetBytes, availableBytes) < 0 ? targetBytes : availableBytes;
    long address = source.allocate(alignment, wantedBytes);
    while (address == 0) {
      listeners.insufficientStep(RequestStep.ACQUIRE, wantedBytes);
      wantedBytes = backOff(wantedBytes);
      if (Long.compareUnsigned(wantedBytes, rounded) < 0) {
        return false;
      }
      address = source.allocate(alignment, wantedBytes);
    }
    if (!raised) {
      doubleTarget();
    }
    addChunk(address, source.bytesAt(address));
    return true;
  }

  private boolean raiseTarget(long rounded) {
    boolean raised = false;
    while (Long.compareUnsigned(rounded, targetBytes) > 0 && targetBytes > 0) {
      doubleTarget();
      raised = true;
    }
    return raised;
  }

  /** Saturates at 2^63; XLA overflows to 0 here and then loops forever. */
  private void doubleTarget() {
    if (targetBytes >= 0) {
      targetBytes <<= 1;
    }
  }

  /** Nine tenths in single precision, as XLA computes it; at least one unit less. */
  static long backOff(long bytes) {
    long less = roundUp(toUnsignedLong(toFloat(bytes) * BACK_OFF));
    return Long.compareUnsigned(less, bytes) < 0 ? less : bytes - ChunkTable.UNIT_BYTES;
  }

  private static float toFloat(long unsigned) {
    return unsigned >= 0 ? (float) unsigned : (float) ((unsigned >>> 1) | (unsigned & 1)) * 2f;
  }

  private static long toUnsignedLong(float value) {
    return value < 0x1p63f ? (long) value : (long) (value - 0x1p63f) + TWO_TO_63;
  }

  private void addChunk(long address, long bytes) {
    int slot = chunks.create();
    chunks.setRange(slot, address, bytes);
    chunks.setTag(slot, partitioned ? ChunkTable.GAP : ChunkTable.LOWER);
    Region before = source.supportsCoalescing() ? regions.endingAt(address) : null;
    if (before != null && canJoin(before)) {
      regions.extend(before, bytes, slot);
    } else {
      regions.add(address, bytes, slot);
    }
    listeners.event(TraceAction.SEGMENT_ALLOC, address, bytes, 0, 0);
    coalescing.coalesce(slot);
  }

  /** A new gap can only follow lower chunks or another gap. */
  private boolean canJoin(Region region) {
    return !partitioned || chunks.tag(regions.lastChunk(region)) != ChunkTable.UPPER;
  }

  private static long roundUp(long bytes) {
    return (bytes + ChunkTable.UNIT_BYTES - 1) & -ChunkTable.UNIT_BYTES;
  }
}
