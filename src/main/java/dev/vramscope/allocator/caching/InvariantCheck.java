package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Invariants;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.ExpandableSegment;
import dev.vramscope.allocator.caching.blocks.HeldSegment;
import dev.vramscope.allocator.caching.blocks.Segments;
import dev.vramscope.allocator.caching.statistics.Statistics;

/**
 * Checks the invariants of the package from scratch:
 *
 * <ul>
 *   <li>the blocks of a segment link to each other, are adjacent, and cover it;
 *   <li>of two inactive neighbours, exactly one is mapped;
 *   <li>an inactive mapped block is in its pool's free list, any other in none;
 *   <li>the counters are the sums over all blocks and segments.
 * </ul>
 */
final class InvariantCheck {
  private final Blocks blocks;
  private final Segments segments;
  private final Pools pools;
  private final MemoryLimit limit;
  private final Statistics statistics;
  private final PendingFrees pendingFrees;
  private final StreamUses uses;

  private int blockCount;
  private int freeCount;
  private int pendingEvents;
  private long allocatedCount;
  private long allocatedBytes;
  private long activeBytes;
  private long requestedBytes;
  private long reservedBytes;

  InvariantCheck(CachingState state, PendingFrees pendingFrees) {
    this.blocks = state.blocks;
    this.segments = state.segments;
    this.pools = state.pools;
    this.limit = state.limit;
    this.statistics = state.statistics;
    this.pendingFrees = pendingFrees;
    this.uses = state.uses;
  }

  void run() {
    for (HeldSegment segment : segments.all()) {
      checkSegment(segment);
    }
    pools.checkInvariants();
    Invariants.require(blockCount == blocks.liveCount(), "every block is in a segment", blockCount);
    Invariants.require(
        freeCount == pools.freeCount(), "free lists hold inactive blocks", freeCount);
    Invariants.require(
        pendingEvents == pendingFrees.pendingEventCount(), "pending events", pendingEvents);
    Invariants.require(reservedBytes == limit.heldBytes(), "held bytes", reservedBytes);
    Invariants.require(
        reservedBytes == statistics.reservedBytes(), "reserved bytes", reservedBytes);
    Invariants.require(
        allocatedBytes == statistics.allocatedBytes(), "allocated bytes", allocatedBytes);
    Invariants.require(
        allocatedCount == statistics.allocatedCount(), "allocated count", allocatedCount);
    Invariants.require(activeBytes == statistics.activeBytes(), "active bytes", activeBytes);
    Invariants.require(
        requestedBytes == statistics.requestedBytes(), "requested bytes", requestedBytes);
  }

  private void checkSegment(HeldSegment segment) {
    int before = Blocks.NONE;
    long address = segment.address();
    long mappedBytes = 0;
    for (int block = segments.firstBlock(segment.number());
        block != Blocks.NONE;
        before = block, block = blocks.next(block)) {
      Invariants.require(blocks.previous(block) == before, "neighbours link to each other", block);
      Invariants.require(blocks.address(block) == address, "neighbours are adjacent", block);
      Invariants.require(blocks.bytes(block) > 0, "blocks are not empty", block);
      Invariants.require(
          blocks.segment(block) == segment.number(),
          "blocks have the number of their segment",
          block);
      Invariants.require(blocks.stream(block) == segment.stream(), "blocks have one stream", block);
      checkBlock(block);
      boolean uncoalesced =
          before != Blocks.NONE
              && !blocks.has(before, Blocks.ACTIVE)
              && !blocks.has(block, Blocks.ACTIVE)
              && blocks.has(before, Blocks.MAPPED) == blocks.has(block, Blocks.MAPPED);
      Invariants.require(!uncoalesced, "inactive neighbours coalesce", block);
      mappedBytes += blocks.has(block, Blocks.MAPPED) ? blocks.bytes(block) : 0;
      address += blocks.bytes(block);
      blockCount++;
    }
    if (segment instanceof ExpandableSegment expandable) {
      Invariants.require(
          address == segment.address() + expandable.reservedBytes(),
          "blocks cover their segment",
          address);
      Invariants.require(mappedBytes == expandable.mappedBytes(), "mapped bytes", mappedBytes);
    }
    reservedBytes += mappedBytes;
  }

  private void checkBlock(int block) {
    boolean allocated = blocks.has(block, Blocks.ALLOCATED);
    boolean active = blocks.has(block, Blocks.ACTIVE);
    boolean mapped = blocks.has(block, Blocks.MAPPED);
    int pending = blocks.pendingEvents(block);
    Invariants.require(active || !allocated, "allocated blocks are active", block);
    Invariants.require(mapped || !active, "active blocks are mapped", block);
    Invariants.require(
        active || (pending == 0 && !uses.any(block)), "used blocks are active", block);
    Invariants.require(
        pools.get(blocks.pool(block)).contains(block) == (mapped && !active),
        "inactive mapped blocks are in a free list",
        block);
    freeCount += mapped && !active ? 1 : 0;
    pendingEvents += pending;
    if (allocated) {
      allocatedCount++;
      allocatedBytes += blocks.bytes(block);
    }
    if (active) {
      activeBytes += blocks.bytes(block);
      requestedBytes += blocks.requestedBytes(block);
    }
  }
}
