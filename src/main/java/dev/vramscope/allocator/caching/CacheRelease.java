package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.SortedBlocks;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.model.PoolId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Releases cached memory to the device: inactive blocks that fill their segment, and whole pages of
 * expandable segments inside inactive blocks.
 */
final class CacheRelease {
  private final Blocks blocks;
  private final Pools pools;
  private final PendingFrees pendingFrees;
  private final Captures captures;
  private final PlainSegments plainSegments;
  private final ExpandableSegments expandableSegments;
  private final Configuration configuration;
  private final Statistics statistics;

  CacheRelease(
      CachingState state,
      PendingFrees pendingFrees,
      Captures captures,
      PlainSegments plainSegments,
      ExpandableSegments expandableSegments) {
    this.blocks = state.blocks;
    this.pools = state.pools;
    this.pendingFrees = pendingFrees;
    this.captures = captures;
    this.plainSegments = plainSegments;
    this.expandableSegments = expandableSegments;
    this.configuration = state.configuration;
    this.statistics = state.statistics;
  }

  /**
   * Releases just enough oversize blocks of the request's pool and stream: one that is large
   * enough, otherwise several from the largest down.
   *
   * @return whether they were enough; they are released even if not
   */
  boolean releaseOversize(CachingRequest request) {
    long oversize = configuration.maxSplitBytes();
    if (oversize == Configuration.UNLIMITED) {
      return false;
    }
    long wantedBytes = maxUnsigned(request.bytes, oversize);
    Pool pool = request.pool();
    SortedBlocks list = pool.free(request.stream).sorted();
    long position = list.bestFit(clampToSigned(wantedBytes));
    if (position != SortedBlocks.NOT_FOUND && fillsItsSegment(list.block(position))) {
      plainSegments.release(pool, list.block(position));
      return true;
    }
    position = position == SortedBlocks.NOT_FOUND ? list.last() : list.previous(position);
    long released = 0;
    while (position != SortedBlocks.NOT_FOUND
        && Long.compareUnsigned(released, wantedBytes) < 0
        && configuration.isOversize(blocks.bytes(list.block(position)))) {
      int block = list.block(position);
      long before = list.previous(position);
      int blockBefore = before == SortedBlocks.NOT_FOUND ? Blocks.NONE : list.block(before);
      if (fillsItsSegment(block)) {
        released += blocks.bytes(block);
        plainSegments.release(pool, block);
      }
      position = blockBefore == Blocks.NONE ? SortedBlocks.NOT_FOUND : pool.positionOf(blockBefore);
    }
    return Long.compareUnsigned(released, wantedBytes) >= 0;
  }

  private static long maxUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) >= 0 ? a : b;
  }

  private static long clampToSigned(long unsigned) {
    return unsigned < 0 ? Long.MAX_VALUE : unsigned;
  }

  /**
   * Waits for all pending frees, then releases all cached memory of the default pools and of
   * private pools without users. During a capture no event may be queried, so only the private
   * pools without users are released.
   */
  void releaseAll() {
    if (!captures.isActive()) {
      synchronize(null);
      release(pools.large());
      release(pools.small());
    }
    for (PrivatePool pool : pools.releasedPools()) {
      releasePrivate(pool);
    }
  }

  /**
   * Releases the cached memory of one private pool; does nothing if it is unknown or still has
   * users.
   *
   * @throws CaptureActiveException if it has none, during a capture
   */
  void release(PoolId id) {
    if (!id.isPrivate()) {
      releaseAll();
      return;
    }
    PrivatePool pool = pools.find(id);
    if (pool != null && pool.isReleased()) {
      synchronize(pool);
      releasePrivate(pool);
    }
  }

  private void releasePrivate(PrivatePool pool) {
    release(pool.small());
    release(pool.large());
    // Decided by held bytes, not by the number of acquisitions: with expandable segments one
    // acquisition may be unmapped in several pieces, and the pool must outlive its last block.
    if (pool.isRemovable()) {
      expandableSegments.abandon(pool.small());
      expandableSegments.abandon(pool.large());
      pools.remove(pool);
    }
  }

  private void synchronize(@Nullable PrivatePool only) {
    statistics.countSyncAllStreams();
    if (captures.isActive()) {
      throw new CaptureActiveException();
    }
    captures.processDeferred();
    pendingFrees.synchronize(only);
  }

  /** Releases whole segments first, then pages of expandable ones. */
  private void release(Pool pool) {
    int[] free = pool.freeBlocks();
    // Selected beforehand: unmapping creates blocks, which may reuse slots released here.
    int[] expandable =
        Arrays.stream(free).filter(block -> blocks.has(block, Blocks.EXPANDABLE)).toArray();
    for (int block : free) {
      if (fillsItsSegment(block)) {
        plainSegments.release(pool, block);
      }
    }
    for (int block : expandable) {
      expandableSegments.unmap(pool, block);
    }
  }

  private boolean fillsItsSegment(int block) {
    return !blocks.has(block, Blocks.EXPANDABLE) && !blocks.isSplit(block);
  }
}
