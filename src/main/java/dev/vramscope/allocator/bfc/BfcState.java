package dev.vramscope.allocator.bfc;

import java.util.List;

/**
 * The complete state of a BFC allocator at one moment.
 *
 * @param regions by address
 * @param bins the non-empty bins
 * @param centralGap the slot of the largest gap, or -1
 * @param slotCount number of slots ever used
 * @param firstDeadSlot the slot that the next new chunk reuses, or -1
 * @param nextAllocationId the id of the next allocation
 */
public record BfcState(
    List<RegionState> regions,
    List<BinState> bins,
    int centralGap,
    int slotCount,
    int firstDeadSlot,
    long nextAllocationId) {
  /** One region with its chunks, by address. */
  public record RegionState(long address, long bytes, List<ChunkState> chunks) {}

  /**
   * One chunk. A missing neighbour, the allocation id of a free chunk, and the bin of a chunk in no
   * bin are -1.
   *
   * @param requestedBytes requested size of the last allocation in this slot
   * @param scopes the scopes it was allocated in
   */
  public record ChunkState(
      int slot,
      long address,
      long bytes,
      long requestedBytes,
      long allocationId,
      int bin,
      int previous,
      int next,
      Tag tag,
      long freedAt,
      List<Scope> scopes) {
    public boolean isAllocated() {
      return allocationId != -1;
    }
  }

  /** One bin, with the slots of its free chunks in order. */
  public record BinState(BinTotals totals, List<Integer> freeSlots) {}

  public BfcState {
    regions = List.copyOf(regions);
    bins = List.copyOf(bins);
  }
}
