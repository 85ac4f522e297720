package dev.vramscope.postmortem.frees;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.postmortem.cause.Releasable;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.RequestState;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The largest request that PyTorch's caching allocator would have served, by its steps: the largest
 * free block of the pool and stream, for which a request of its size is the best fit and close
 * enough under {@code max_split_size}; or a segment, or pages, that the device has room for.
 */
final class CachingLargestFit {
  private static final long OWN_SEGMENT_STEP_BYTES = 2L << 20;

  private final RequestState state;
  private final Request request;
  private final SizeRules sizes;
  private final List<Segment> segments;
  private final long releasableBytes;

  CachingLargestFit(RequestState state) {
    this.state = state;
    request = state.request();
    sizes = state.sizes();
    segments = state.state().segments();
    // A recorded failure comes after the cache was emptied, or where it is not emptied.
    releasableBytes =
        request.isRecorded() ? 0 : Releasable.of(segments, request, sizes).defaultPoolBytes();
  }

  LargestFit largest() {
    long least = Math.max(fromCache(false), fromDevice(leastRoom()));
    OptionalLong most = mostRoom();
    if (most.isEmpty()) {
      return new LargestFit(least, OptionalLong.empty());
    }
    long bound = Math.max(fromCache(true), fromDevice(most.getAsLong()));
    bound = Math.max(bound, Math.max(fromGrownTail(most.getAsLong()), fromFallbackPool()));
    return new LargestFit(least, OptionalLong.of(Math.max(least, bound)));
  }

  /** The largest request that fits into a block. */
  private long largestRequest(long blockBytes) {
    long low = 0;
    long high = blockBytes;
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      if (Long.compareUnsigned(sizes.roundedBytes(middle), blockBytes) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The larger of the largest requests of both size classes, for blocks of these sizes. */
  private long largestRequest(long inLarge, long inSmall) {
    long large = largestRequest(inLarge);
    if (large > 0 && sizes.kind(sizes.roundedBytes(large)) == PoolKind.LARGE) {
      return large;
    }
    return largestRequest(Math.min(inSmall, SizeRules.MAX_SMALL_BLOCK_BYTES));
  }

  private long fromCache(boolean withPendingFrees) {
    return largestRequest(
        longestRange(PoolKind.LARGE, withPendingFrees),
        longestRange(PoolKind.SMALL, withPendingFrees));
  }

  private long longestRange(PoolKind kind, boolean withPendingFrees) {
    long longest = 0;
    for (Segment segment : segments) {
      if (isOfPool(segment, kind, request.pool()) && isUsed(segment)) {
        longest = Math.max(longest, longestRange(segment, withPendingFrees));
      }
    }
    return longest;
  }

  private boolean isOfPool(Segment segment, PoolKind kind, PoolId pool) {
    return segment.kind() == kind
        && segment.pool().equals(pool)
        && segment.stream() == request.stream();
  }

  private boolean isUsed(Segment segment) {
    return !segment.expandable() || isExpandable();
  }

  /** Without recorded settings, an expandable segment itself shows that they were on. */
  private boolean isExpandable() {
    return sizes.isExpandable()
        || (!sizes.isRecorded() && segments.stream().anyMatch(Segment::expandable));
  }

  private static long longestRange(Segment segment, boolean withPendingFrees) {
    long longest = 0;
    long range = 0;
    for (Block block : segment.blocks()) {
      boolean isOpen =
          block.state() == BlockState.INACTIVE
              || (withPendingFrees && block.state() == BlockState.PENDING_FREE);
      range = isOpen ? range + block.bytes() : 0;
      longest = Math.max(longest, range);
    }
    return longest;
  }

  /** Memory that the device would certainly provide. */
  private long leastRoom() {
    OptionalLong free = state.deviceFreeBytes();
    if (free.isEmpty() || state.hasUnknownLimit() || state.refusesWithoutRetry()) {
      return 0;
    }
    return free.getAsLong() + releasableBytes;
  }

  /** The most memory that the device could provide. */
  private OptionalLong mostRoom() {
    OptionalLong free = LargestFit.mostFree(state);
    if (free.isEmpty()) {
      return free;
    }
    Releasable releasable = Releasable.of(segments, request, sizes);
    long released =
        request.isRecorded() ? 0 : releasable.defaultPoolBytes() + releasable.privatePoolBytes();
    long room = free.getAsLong() + released;
    // A smaller segment may be within a limit of unknown size.
    return OptionalLong.of(
        state.hasUnknownLimit() && request.isRecorded()
            ? Math.min(room, state.limitedBytes() - 1)
            : room);
  }

  /** The largest request for which the device has room. */
  private long fromDevice(long roomBytes) {
    long limited = Math.min(roomBytes, underLimit());
    if (!isExpandable()) {
      return largestRequest(ownSegment(limited), roomForSmall(limited));
    }
    long page = sizes.pageBytes(PoolKind.LARGE);
    long pages = roomBytes / page * page;
    return largestRequest(Math.min(pages, ownSegment(underLimit())), roomForSmall(limited));
  }

  /** The largest block of a new segment of at most these bytes. */
  private long ownSegment(long bytes) {
    long own = bytes / OWN_SEGMENT_STEP_BYTES * OWN_SEGMENT_STEP_BYTES;
    return own > 0 && sizes.segmentBytes(own) <= bytes ? own : 0;
  }

  private long roomForSmall(long bytes) {
    return bytes >= sizes.pageBytes(PoolKind.SMALL) ? SizeRules.MAX_SMALL_BLOCK_BYTES : 0;
  }

  private long underLimit() {
    OptionalLong limit = state.device().limitBytes();
    return limit.isEmpty()
        ? SizeRules.clamped(Long.MAX_VALUE)
        : Math.max(0, limit.getAsLong() - state.ledger().reservedBytes() + releasableBytes);
  }

  /** An upper bound for pages mapped between free ends of two ranges of an expandable segment. */
  private long fromGrownTail(long roomBytes) {
    long page = sizes.pageBytes(PoolKind.LARGE);
    if (!isExpandable() || roomBytes < page) {
      return 0;
    }
    long longest = longestRange(PoolKind.LARGE, /* withPendingFrees= */ true);
    long bound = roomBytes / page * page + 2 * longest;
    return largestRequest(Math.min(bound, ownSegment(underLimit())), 0);
  }

  /**
   * An upper bound for a private pool that is a fallback for the default pool. One with a block
   * that is large enough for the failed request is not.
   */
  private long fromFallbackPool() {
    if (request.pool().isPrivate()) {
      return 0;
    }
    Set<PoolId> excluded = new HashSet<>();
    long longest = 0;
    for (Segment segment : segments) {
      if (segment.pool().isPrivate()
          && isOfPool(segment, request.kind(), segment.pool())
          && longestRange(segment, /* withPendingFrees= */ false) >= request.roundedBytes()
          && request.isRecorded()) {
        excluded.add(segment.pool());
      }
    }
    for (Segment segment : segments) {
      if (segment.pool().isPrivate()
          && !excluded.contains(segment.pool())
          && isOfPool(segment, segment.kind(), segment.pool())) {
        longest = Math.max(longest, longestRange(segment, /* withPendingFrees= */ true));
      }
    }
    return largestRequest(longest, longest);
  }
}
