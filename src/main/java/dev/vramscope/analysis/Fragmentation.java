package dev.vramscope.analysis;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How much free memory is in pieces, in two figures with names.
 *
 * @param pools one line per pool, size class and stream
 * @param overhead peak reserved / peak allocated; empty when reserved bytes over time are unknown
 * @param peakReservedBytes of the trace, or {@link ActiveBytes#UNKNOWN}
 * @param peakAllocatedBytes of the trace, rounded sizes (recovered by rounding)
 */
public record Fragmentation(
    List<Pool> pools, OptionalDouble overhead, long peakReservedBytes, long peakAllocatedBytes) {
  public Fragmentation {
    pools = List.copyOf(pools);
  }

  public static Fragmentation of(
      AllocatorState state, Lifetimes lifetimes, ActiveBytes active, SizeRules sizes) {
    return Unbuilt.value();
  }

  /**
   * The free bytes that serve the same requests.
   *
   * @param external 1 − largest free block / free bytes; empty when nothing is free
   */
  public record Pool(
      PoolId pool,
      PoolKind kind,
      long stream,
      long segmentCount,
      long reservedBytes,
      long allocatedBytes,
      long pendingFreeBytes,
      long freeBytes,
      long freeBlockCount,
      long largestFreeBytes,
      OptionalDouble external) {}
}
