package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.ReleaseCandidate;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.allocator.caching.blocks.BlockFinder;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.ExpandableSegment;
import dev.vramscope.allocator.caching.blocks.HeldSegment;
import dev.vramscope.allocator.caching.blocks.Segments;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates immutable views of segments and blocks. */
final class SegmentViews {
  private final Blocks blocks;
  private final Segments segments;
  private final Pools pools;
  private final PendingFrees pendingFrees;
  private final BlockFinder finder;

  SegmentViews(CachingState state, PendingFrees pendingFrees, BlockFinder finder) {
    this.blocks = state.blocks;
    this.segments = state.segments;
    this.pools = state.pools;
    this.pendingFrees = pendingFrees;
    this.finder = finder;
  }

  /**
   * All segments in address order.
   *
   * @param only the private pool whose segments to return; the default id returns all segments
   */
  List<SegmentView> of(PoolId only) {
    List<SegmentView> views = new ArrayList<>();
    for (HeldSegment segment : segments.all()) {
      int first = segments.firstBlock(segment.number());
      Pool pool = pools.get(blocks.pool(first));
      if (!only.isPrivate() || pool.id().equals(only)) {
        addMappedRanges(segment, first, pool, views);
      }
    }
    return views;
  }

  /** Adds one view for each contiguous mapped range; a plain segment is one range. */
  private void addMappedRanges(HeldSegment segment, int first, Pool pool, List<SegmentView> views) {
    int block = first;
    while (block != Blocks.NONE) {
      if (!blocks.has(block, Blocks.MAPPED)) {
        block = blocks.next(block);
        continue;
      }
      List<BlockView> range = new ArrayList<>();
      long start = blocks.address(block);
      long end = start;
      while (block != Blocks.NONE && blocks.has(block, Blocks.MAPPED)) {
        range.add(block(block));
        end = blocks.endAddress(block);
        block = blocks.next(block);
      }
      views.add(
          new SegmentView(
              start,
              end - start,
              segment.stream(),
              !pool.isSmall(),
              segment instanceof ExpandableSegment,
              pool.id(),
              segment.registration(),
              range));
    }
  }

  BlockView block(int block) {
    boolean allocated = blocks.has(block, Blocks.ALLOCATED);
    boolean pending = !allocated && blocks.has(block, Blocks.ACTIVE);
    return new BlockView(
        allocated ? blocks.handle(block) : 0,
        blocks.address(block),
        blocks.bytes(block),
        blocks.requestedBytes(block),
        blocks.stream(block),
        allocated ? BlockState.ALLOCATED : pending ? BlockState.PENDING_FREE : BlockState.INACTIVE,
        pending ? pendingFrees.awaited(block) : List.of());
  }

  /** The allocated blocks whose free would leave the largest contiguous free ranges. */
  List<ReleaseCandidate> candidates(ReleaseRanking ranking, int limit) {
    List<ReleaseCandidate> candidates = new ArrayList<>();
    for (int block : ranking.best(limit)) {
      candidates.add(new ReleaseCandidate(block(block), ranking.contiguousBytes(block)));
    }
    return candidates;
  }

  /** The mapped block that covers an address, or null. */
  @Nullable BlockView at(long address) {
    int block = finder.find(address);
    return block != Blocks.NONE && blocks.has(block, Blocks.MAPPED) ? block(block) : null;
  }

  /** The inactive block that covers an address, or null if no block does, or it is in use. */
  @Nullable BlockView inactiveAt(long address) {
    int block = finder.find(address);
    boolean isInactive =
        block != Blocks.NONE
            && blocks.has(block, Blocks.MAPPED)
            && !blocks.has(block, Blocks.ACTIVE);
    return isInactive ? block(block) : null;
  }

  /** The whole plain segment of a block, active or not. */
  BaseAllocation baseOf(int block) {
    HeldSegment segment = segments.get(blocks.segment(block));
    if (segment instanceof ExpandableSegment) {
      throw new IllegalStateException(
          "Tensors allocated with expandable_segments:True cannot be shared between processes."
              + " Consider using expandable_segments:False in data loading workers via"
              + " torch.cuda.memory._set_allocator_settings('expandable_segments:False')");
    }
    long bytes = 0;
    for (int b = segments.firstBlock(segment.number()); b != Blocks.NONE; b = blocks.next(b)) {
      bytes += blocks.bytes(b);
    }
    return new BaseAllocation(segment.address(), bytes);
  }
}
