package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.model.PoolId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Gives cached memory back to the device: only inactive blocks that fill their segment can go. */
final class CacheRelease {
  private final Blocks blocks;
  private final Pools pools;
  private final PendingFrees pendingFrees;
  private final Captures captures;
  private final PlainSegments plainSegments;
  private final ExpandableSegments expandableSegments;
  private final Configuration configuration;

  CacheRelease(
      Blocks blocks,
      Pools pools,
      PendingFrees pendingFrees,
      Captures captures,
      PlainSegments plainSegments,
      ExpandableSegments expandableSegments,
      Configuration configuration) {
    this.blocks = blocks;
    this.pools = pools;
    this.pendingFrees = pendingFrees;
    this.captures = captures;
    this.plainSegments = plainSegments;
    this.expandableSegments = expandableSegments;
    this.configuration = configuration;
  }

  /**
   * Releases just enough oversize blocks of the request's pool and stream: one that is large
   * enough, else from the largest down.
   *
   * @return whether that was enough; if not, they are gone all the same
   */
  boolean releaseAvailable(Request request) {
    long oversize = configuration.maxSplitBytes();
    if (oversize == Configuration.UNLIMITED) {
      return false;
    }
    long wanted = maxUnsigned(request.bytes, oversize);
    Pool pool = request.pool();
    SortedBlocks list = pool.free(request.stream).sorted();
    long place = list.seek(clampToSigned(wanted));
    if (place != SortedBlocks.NOWHERE && fillsItsSegment(list.block(place))) {
      plainSegments.release(pool, list.block(place));
      return true;
    }
    place = place == SortedBlocks.NOWHERE ? list.last() : list.previous(place);
    long released = 0;
    while (place != SortedBlocks.NOWHERE
        && Long.compareUnsigned(released, wanted) < 0
        && configuration.isOversize(blocks.bytes(list.block(place)))) {
      int block = list.block(place);
      long before = list.previous(place);
      int blockBefore = before == SortedBlocks.NOWHERE ? Blocks.NONE : list.block(before);
      if (fillsItsSegment(block)) {
        released += blocks.bytes(block);
        plainSegments.release(pool, block);
      }
      place = blockBefore == Blocks.NONE ? SortedBlocks.NOWHERE : pool.placeOf(blockBefore);
    }
    return Long.compareUnsigned(released, wanted) >= 0;
  }

  private static long maxUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) >= 0 ? a : b;
  }

  private static long clampToSigned(long unsigned) {
    return unsigned < 0 ? Long.MAX_VALUE : unsigned;
  }

  /** Waits for all pending frees, then releases what can go from all pools that may be emptied. */
  void releaseAll() {
    synchronize(null);
    release(pools.large());
    release(pools.small());
    for (PrivatePool pool : pools.releasedPools()) {
      releasePrivate(pool);
    }
  }

  /** All that can go, at a client's wish. */
  void emptyAll() {
    releaseAll();
    // A failed request may have left reservations without memory; here they go too.
    expandableSegments.giveBackUnmapped(pools.small());
    expandableSegments.giveBackUnmapped(pools.large());
  }

  /** What can go from one private pool; nothing if it is unknown or still used by somebody. */
  void empty(PoolId id) {
    if (!id.isPrivate()) {
      emptyAll();
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
    // Held bytes, not the number of acquisitions: with expandable segments one acquisition may be
    // unmapped in several pieces, and the pool must outlive its last block.
    if (pool.isDeserted()) {
      expandableSegments.giveBackUnmapped(pool.small());
      expandableSegments.giveBackUnmapped(pool.large());
      pools.remove(pool);
    }
  }

  private void synchronize(@Nullable PrivatePool only) {
    if (captures.isUnderway()) {
      throw new IllegalStateException(
          "The cache cannot be emptied while a graph capture is underway; end the capture first.");
    }
    captures.settle();
    pendingFrees.synchronize(only);
  }

  /** First whole segments, then pages of expandable ones. */
  private void release(Pool pool) {
    int[] free = pool.freeBlocks();
    // Told apart beforehand: unmapping makes new blocks, which may get slots released here.
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
