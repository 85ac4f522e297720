package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.ReleaseCandidate;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Read-only views of the allocator's state. The caller holds the allocator's lock. */
final class StateReader {
  private final BfcOptions options;
  private final Pool pool;
  private final ChunkTable chunks;

  StateReader(BfcOptions options, Pool pool) {
    this.options = options;
    this.pool = pool;
    this.chunks = pool.chunks;
  }

  BfcStatistics statistics() {
    Statistics counters = pool.statistics;
    return new BfcStatistics(
        counters.allocationCount(),
        counters.bytesInUse(),
        counters.peakBytesInUse(),
        counters.largestAllocationBytes(),
        options.limitBytes(),
        pool.free.largestBytes(),
        pool.regions.poolBytes(),
        pool.regions.peakPoolBytes(),
        pool.regions.count(),
        pool.extension.targetBytes(),
        options.maxInternalFragmentationBytes());
  }

  AllocatorTotals totals(long allocationCount) {
    Statistics counters = pool.statistics;
    return new AllocatorTotals(
        counters.requestedBytes(),
        counters.bytesInUse(),
        counters.bytesInUse(),
        pool.regions.poolBytes(),
        counters.peakBytesInUse(),
        pool.regions.peakPoolBytes(),
        counters.liveCount(),
        allocationCount,
        counters.outOfMemoryCount());
  }

  MemoryMap memoryMap() {
    List<MemoryMap.Chunk> all = new ArrayList<>();
    for (Region region : pool.regions) {
      for (int slot = region.firstChunk; slot != ChunkTable.NONE; slot = chunks.next(slot)) {
        boolean inUse = chunks.isAllocated(slot);
        all.add(
            new MemoryMap.Chunk(
                chunks.address(slot),
                chunks.bytes(slot),
                chunks.requestedBytes(slot),
                chunks.bin(slot),
                inUse,
                inUse || !pool.timedFrees.hasCounter() ? 0 : chunks.freedAt(slot)));
      }
    }
    return new MemoryMap(
        options.name(), statistics(), List.of(BinTotals.of(chunks, pool.regions)), all);
  }

  BfcState state(long nextAllocationId) {
    List<BfcState.RegionState> regions = new ArrayList<>();
    for (Region region : pool.regions) {
      List<BfcState.ChunkState> states = new ArrayList<>();
      for (int slot = region.firstChunk; slot != ChunkTable.NONE; slot = chunks.next(slot)) {
        states.add(state(slot));
      }
      regions.add(new BfcState.RegionState(region.address, region.bytes(), states));
    }
    List<BfcState.BinState> bins = new ArrayList<>();
    for (BinTotals totals : BinTotals.of(chunks, pool.regions)) {
      if (totals.chunks() > 0) {
        List<Integer> slots = new ArrayList<>();
        for (int slot : pool.free.bins().slots(totals.bin())) {
          slots.add(slot);
        }
        bins.add(new BfcState.BinState(totals, slots));
      }
    }
    return new BfcState(
        regions,
        bins,
        pool.free.largestGap(),
        chunks.slotCount(),
        chunks.firstDead(),
        nextAllocationId);
  }

  private BfcState.ChunkState state(int slot) {
    return new BfcState.ChunkState(
        slot,
        chunks.address(slot),
        chunks.bytes(slot),
        chunks.requestedBytes(slot),
        chunks.allocationId(slot),
        chunks.bin(slot),
        chunks.previous(slot),
        chunks.next(slot),
        Tag.of(chunks.tag(slot)),
        chunks.freedAt(slot),
        pool.scopes.get(slot));
  }

  String occupancy() {
    return OccupancyBar.of(chunks, pool.regions);
  }

  List<SegmentView> segments() {
    List<SegmentView> segments = new ArrayList<>();
    for (Region region : pool.regions) {
      List<BlockView> blocks = new ArrayList<>();
      for (int slot = region.firstChunk; slot != ChunkTable.NONE; slot = chunks.next(slot)) {
        blocks.add(block(slot));
      }
      segments.add(
          new SegmentView(
              region.address,
              region.bytes(),
              0,
              /* large= */ true,
              /* expandable= */ false,
              PoolId.DEFAULT,
              region.registration,
              blocks));
    }
    return segments;
  }

  @Nullable BlockView blockAt(long address) {
    int slot = pool.regions.chunkCovering(address);
    return slot == ChunkTable.NONE ? null : block(slot);
  }

  private BlockView block(int slot) {
    boolean allocated = chunks.isAllocated(slot);
    return new BlockView(
        allocated ? chunks.handle(slot) : Allocator.NO_BLOCK,
        chunks.address(slot),
        chunks.bytes(slot),
        chunks.requestedBytes(slot),
        chunks.stream(slot),
        allocated ? BlockState.ALLOCATED : BlockState.INACTIVE);
  }

  List<ReleaseCandidate> releaseCandidates(int limit) {
    List<ReleaseCandidate> candidates = new ArrayList<>();
    for (int slot : pool.ranking.best(limit)) {
      candidates.add(new ReleaseCandidate(block(slot), pool.ranking.contiguousBytes(slot)));
    }
    return candidates;
  }
}
