package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.Invariants;

/** Checks the invariants listed in the package documentation. */
final class InvariantCheck {
  private final Pool pool;
  private final ChunkTable chunks;

  InvariantCheck(Pool pool) {
    this.pool = pool;
    this.chunks = pool.chunks;
  }

  void run() {
    Sums sums = new Sums();
    long end = Long.MIN_VALUE;
    for (Region region : pool.regions) {
      Invariants.require(region.address >= end, "regions in order", region.address);
      end = region.endAddress();
      sums.poolBytes += region.bytes();
      check(region, sums);
    }
    Invariants.require(sums.poolBytes == pool.regions.poolBytes(), "pool bytes", sums.poolBytes);
    Invariants.require(sums.bytesInUse == pool.statistics.bytesInUse(), "in use", sums.bytesInUse);
    Invariants.require(
        sums.requested == pool.statistics.requestedBytes(), "requested", sums.requested);
    Invariants.require(sums.live == pool.statistics.liveCount(), "live chunks", sums.live);
    Invariants.require(
        pool.free.bins().checkInvariants() == sums.binned, "chunks in bins", sums.binned);
    int dead = 0;
    for (int slot = chunks.firstDead(); slot != ChunkTable.NONE; slot = chunks.next(slot)) {
      Invariants.require(chunks.isDead(slot), "dead slot", slot);
      dead++;
    }
    Invariants.require(dead + sums.chunks == chunks.slotCount(), "slots", chunks.slotCount());
    pool.ranking.checkInvariants();
  }

  private static final class Sums {
    long poolBytes;
    long bytesInUse;
    long requested;
    int live;
    int binned;
    int chunks;
  }

  private void check(Region region, Sums sums) {
    long address = region.address;
    int previous = ChunkTable.NONE;
    int side = ChunkTable.LOWER;
    for (int slot = region.firstChunk; slot != ChunkTable.NONE; slot = chunks.next(slot)) {
      Invariants.require(!chunks.isDead(slot), "live chunk in a region", slot);
      Invariants.require(chunks.address(slot) == address, "chunks tile their region", slot);
      Invariants.require(chunks.bytes(slot) > 0, "chunk size", slot);
      Invariants.require(chunks.previous(slot) == previous, "previous chunk", slot);
      side = checkTag(region, slot, side);
      sums.chunks++;
      if (chunks.isAllocated(slot)) {
        Invariants.require(
            chunks.requestedBytes(slot) <= chunks.bytes(slot), "requested size", slot);
        sums.bytesInUse += chunks.bytes(slot);
        sums.requested += chunks.requestedBytes(slot);
        sums.live++;
      } else {
        checkFree(slot, previous);
        sums.binned += chunks.isBinned(slot) ? 1 : 0;
      }
      address += chunks.bytes(slot);
      previous = slot;
    }
    Invariants.require(address == region.endAddress(), "chunks fill their region", region.address);
  }

  private void checkFree(int slot, int previous) {
    boolean separate =
        previous == ChunkTable.NONE
            || chunks.isAllocated(previous)
            || chunks.freedAt(slot) > 0
            || chunks.freedAt(previous) > 0;
    Invariants.require(separate, "free neighbours are coalesced", slot);
  }

  /** Checks the order within a region: lower chunks, the gap, upper chunks. */
  private int checkTag(Region region, int slot, int side) {
    int tag = chunks.tag(slot);
    boolean isGap = tag == ChunkTable.GAP;
    Invariants.require(isGap == (region.centralGap() == slot), "central gap", slot);
    Invariants.require(
        side == ChunkTable.LOWER || tag == ChunkTable.UPPER, "ends of a region", slot);
    return tag == ChunkTable.LOWER ? side : ChunkTable.UPPER;
  }
}
