package dev.vramscope.live.feed;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.List;

/**
 * The ledger of a replica. The rows of a segment are computed when it has changed and kept
 * otherwise; those of the allocator are their sums. Not thread-safe.
 */
final class ReplicaLedger {
  private static final Ledger.Item[] ITEMS = Ledger.Item.values();

  private final SizeRules sizes;
  private final PoolTable pools;

  ReplicaLedger(SizeRules sizes, PoolTable pools) {
    this.sizes = sizes;
    this.pools = pools;
  }

  /** The bytes of each {@link Ledger.Item} of the allocator, by ordinal. */
  long[] bytes(AllocatorReplica replica) {
    long[] sums = new long[ITEMS.length];
    for (ReplicaSegment segment : replica.segments()) {
      if (segment.ledgerVersion != segment.version) {
        segment.ledger = bytes(segment);
        segment.ledgerVersion = segment.version;
      }
      for (int item = 0; item < sums.length; item++) {
        sums[item] += segment.ledger[item];
      }
    }
    return sums;
  }

  private long[] bytes(ReplicaSegment segment) {
    AllocatorState state =
        new AllocatorState(0, List.of(segmentOf(segment)), 0, 0, /* findings= */ List.of());
    Ledger ledger = Ledger.of(state, sizes, Ledger.DeviceMemory.UNKNOWN);
    long[] bytes = new long[ITEMS.length];
    for (Ledger.Row row : ledger.rows()) {
      if (row.amount() instanceof Ledger.Amount.Known(long amount)) {
        bytes[row.item().ordinal()] = amount;
      }
    }
    return bytes;
  }

  private Segment segmentOf(ReplicaSegment segment) {
    List<Block> blocks = new ArrayList<>();
    long end = segment.address;
    for (ReplicaBlock block : segment.blocks()) {
      addInactive(blocks, end, block.address());
      blocks.add(
          new Block(
              block.address(),
              block.bytes(),
              block.requestedBytes(),
              block.pending() ? BlockState.PENDING_FREE : BlockState.ALLOCATED,
              StackTable.NONE));
      end = block.endAddress();
    }
    addInactive(blocks, end, segment.endAddress());
    PoolTable.Pool pool = pools.all().get(segment.pool);
    return new Segment(
        segment.address,
        segment.bytes,
        segment.stream,
        pool.large() ? PoolKind.LARGE : PoolKind.SMALL,
        pool.id(),
        segment.expandable,
        StackTable.NONE,
        blocks);
  }

  private static void addInactive(List<Block> blocks, long from, long to) {
    if (to != from) {
      blocks.add(new Block(from, to - from, Block.UNKNOWN, BlockState.INACTIVE, StackTable.NONE));
    }
  }
}
