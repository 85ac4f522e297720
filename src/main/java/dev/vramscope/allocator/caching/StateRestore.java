package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.Segments;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.model.Block;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * Gives an allocator without segments the segments and blocks of a recorded state. They are
 * acquired in the given order, which becomes their age, at the addresses that the device hands out;
 * the offsets in a segment are those of the recording.
 *
 * <p>All blocks of a segment are allocated from front to back, and the inactive ones are freed
 * again, so that every list and counter changes as in any other operation.
 */
final class StateRestore {
  private final Blocks blocks;
  private final Segments segments;
  private final Pools pools;
  private final Statistics statistics;
  private final BlockAssignment assignment;
  private final FreeSteps freeSteps;
  private final PlainSegments plainSegments;
  private final ExpandableSegments expandableSegments;

  StateRestore(
      CachingState state,
      BlockAssignment assignment,
      FreeSteps freeSteps,
      PlainSegments plainSegments,
      ExpandableSegments expandableSegments) {
    this.blocks = state.blocks;
    this.segments = state.segments;
    this.pools = state.pools;
    this.statistics = state.statistics;
    this.assignment = assignment;
    this.freeSteps = freeSteps;
    this.plainSegments = plainSegments;
    this.expandableSegments = expandableSegments;
  }

  void restore(List<RestoredSegment> oldestFirst, ObjLongConsumer<? super Block> active) {
    if (!segments.all().isEmpty()) {
      throw new IllegalStateException(
          "A state can be restored only into an allocator without segments.");
    }
    for (RestoredSegment segment : oldestFirst) {
      if (segment.expandable()) {
        restoreExpandable(segment, active);
      } else {
        restorePlain(segment, active);
      }
    }
    statistics.resetAccumulated();
    statistics.resetPeaks();
  }

  private void restorePlain(RestoredSegment segment, ObjLongConsumer<? super Block> active) {
    Pool pool = pool(segment);
    int block = plainSegments.acquire(pool, segment.stream(), segment.bytes());
    fill(pool, require(block, segment.bytes()), segment.blocks(), active);
  }

  private void restoreExpandable(RestoredSegment segment, ObjLongConsumer<? super Block> active) {
    Pool pool = pool(segment);
    int unmapped = require(expandableSegments.reserve(pool, segment.stream()), segment.bytes());
    long moved = blocks.address(unmapped) - segment.address();
    List<Block> all = segment.blocks();
    int first = 0;
    while (first < all.size()) {
      int end = first + 1;
      while (end < all.size() && segment.continuesRun(end)) {
        end++;
      }
      long address = all.get(first).address() + moved;
      long bytes = all.get(end - 1).end() - all.get(first).address();
      int run = require(expandableSegments.mapAt(pool, unmapped, address, bytes), bytes);
      unmapped = blocks.next(run);
      fill(pool, run, all.subList(first, end), active);
      first = end;
    }
  }

  private Pool pool(RestoredSegment segment) {
    boolean isSmall = segment.kind() == PoolKind.SMALL;
    PoolId id = segment.pool();
    if (!id.isPrivate()) {
      return isSmall ? pools.small() : pools.large();
    }
    PrivatePool existingPool = pools.find(id);
    PrivatePool owner = existingPool == null ? pools.createOrUse(id) : existingPool;
    return isSmall ? owner.small() : owner.large();
  }

  private static int require(int block, long bytes) {
    if (block == Blocks.NONE) {
      throw new OutOfDeviceMemoryException(
          bytes, "The device has no " + bytes + " bytes left for a restored segment.");
    }
    return block;
  }

  /** Turns a block that is in no list into these blocks. */
  private void fill(
      Pool pool, int whole, List<Block> restoredBlocks, ObjLongConsumer<? super Block> active) {
    long[] handles = new long[restoredBlocks.size()];
    for (int i = 0; i < handles.length; i++) {
      Block block = restoredBlocks.get(i);
      boolean isLast = i == handles.length - 1;
      long requested =
          block.requestedBytes() == Block.UNKNOWN ? block.bytes() : block.requestedBytes();
      handles[i] = blocks.handle(assignment.assign(pool, whole, block.bytes(), requested, !isLast));
      if (!isLast) {
        pool.remove(whole);
      }
    }
    for (int i = 0; i < handles.length; i++) {
      if (restoredBlocks.get(i).isActive()) {
        active.accept(restoredBlocks.get(i), handles[i]);
      } else {
        freeSteps.free(blocks.require(handles[i]));
      }
    }
  }
}
