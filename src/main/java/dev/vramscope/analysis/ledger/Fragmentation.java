package dev.vramscope.analysis.ledger;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Fragmentation as two ratios: <em>external</em> is about the free bytes of a pool in one state,
 * <em>overhead</em> about the whole trace.
 *
 * @param pools one entry per pool, size class and stream
 * @param overhead an upper bound of peak reserved / peak allocated, because the peak of the
 *     allocated bytes is a lower bound; empty without a trace, when it does not contain the
 *     reserved bytes, or when nothing was allocated
 * @param peakReservedBytes of the trace, or {@link ActiveBytes#UNKNOWN}
 * @param peakAllocatedBytes a lower bound for the trace: a block that is not in the final state
 *     counts as its rounded request, which it may exceed
 */
public record Fragmentation(
    List<Pool> pools, OptionalDouble overhead, long peakReservedBytes, long peakAllocatedBytes) {
  public Fragmentation {
    pools = List.copyOf(pools);
  }

  public static Fragmentation of(
      AllocatorState state,
      Lifetimes lifetimes,
      ActiveBytes active,
      SizeRules sizes,
      AllocatorFamily family) {
    Map<Key, List<Segment>> groups = new LinkedHashMap<>();
    for (Segment segment : state.segments()) {
      groups
          .computeIfAbsent(
              new Key(segment.pool(), segment.kind(), segment.stream()), _ -> new ArrayList<>())
          .add(segment);
    }
    List<Pool> pools = new ArrayList<>();
    groups.forEach((key, segments) -> pools.add(Pool.of(key, segments, sizes, family)));
    pools.sort(Comparator.comparingLong(Pool::reservedBytes).reversed());
    long reserved = active.peakReservedBytes();
    long allocated = peakAllocated(lifetimes, sizes, family, active.eventCount());
    boolean isKnown = reserved != ActiveBytes.UNKNOWN && allocated > 0 && active.eventCount() > 0;
    return new Fragmentation(
        pools,
        isKnown ? OptionalDouble.of((double) reserved / allocated) : OptionalDouble.empty(),
        reserved,
        allocated);
  }

  private static long peakAllocated(
      Lifetimes lifetimes, SizeRules sizes, AllocatorFamily family, int eventCount) {
    long[] change = new long[eventCount];
    long bytes = 0;
    for (int row = 0; row < lifetimes.size(); row++) {
      long rounded = leastBytes(lifetimes, row, sizes, family);
      int start = lifetimes.allocationEvent(row);
      int freed = Math.min(lifetimes.freeRequestedEvent(row), lifetimes.endEvent(row));
      if (start != Lifetimes.BEFORE_RECORDING) {
        change[start] += rounded;
      } else if (freed != Lifetimes.BEFORE_RECORDING) {
        bytes += rounded;
      }
      if (freed != Lifetimes.NEVER && freed != Lifetimes.BEFORE_RECORDING) {
        change[freed] -= rounded;
      }
    }
    long peak = bytes;
    for (long delta : change) {
      bytes += delta;
      peak = Math.max(peak, bytes);
    }
    return peak;
  }

  /** The size rules are PyTorch's: a block of another allocator is at least its request. */
  private static long leastBytes(
      Lifetimes lifetimes, int row, SizeRules sizes, AllocatorFamily family) {
    if (family == AllocatorFamily.CACHING) {
      return lifetimes.allocatedBytes(row, sizes);
    }
    long recordedBytes = lifetimes.allocatedBytes(row);
    return recordedBytes == Lifetimes.UNKNOWN ? lifetimes.bytes(row) : recordedBytes;
  }

  private record Key(PoolId pool, PoolKind kind, long stream) {}

  /**
   * The segments of one pool, size class and stream, which serve the same requests.
   *
   * @param releasableBytes free bytes in completely free segments and pages, which the allocator
   *     releases and acquires again in any shape; 0 where it keeps them: in private pools, and in
   *     other allocators than PyTorch's
   * @param external 1 − contiguous free bytes / free bytes, where the contiguous ones are the
   *     largest free block or, if that is more, the releasable bytes; empty if no bytes are free
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
      long releasableBytes,
      OptionalDouble external) {

    private static Pool of(
        Key key, List<Segment> segments, SizeRules sizes, AllocatorFamily family) {
      boolean isReleased = family == AllocatorFamily.CACHING && !key.pool.isPrivate();
      long reserved = 0;
      long allocated = 0;
      long pending = 0;
      long free = 0;
      long freeCount = 0;
      long largest = 0;
      long releasable = 0;
      for (Segment segment : segments) {
        reserved += segment.bytes();
        for (Block block : segment.blocks()) {
          switch (block.state()) {
            case ALLOCATED -> allocated += block.bytes();
            case PENDING_FREE -> pending += block.bytes();
            case INACTIVE -> {
              free += block.bytes();
              freeCount++;
              largest = Math.max(largest, block.bytes());
              releasable += isReleased ? sizes.releasableBytes(segment, block) : 0;
            }
          }
        }
      }
      return new Pool(
          key.pool,
          key.kind,
          key.stream,
          segments.size(),
          reserved,
          allocated,
          pending,
          free,
          freeCount,
          largest,
          releasable,
          free == 0
              ? OptionalDouble.empty()
              : OptionalDouble.of(1 - (double) Math.max(largest, releasable) / free));
    }
  }
}
