package dev.vramscope.allocator.bfc;

import java.util.List;

/**
 * Everything inside a BFC allocator at one moment, in its own words.
 *
 * @param regions by address
 * @param bins those that are not empty
 * @param centralGap the slot of the largest gap, or -1
 * @param slotCount slots that were ever used
 * @param firstDeadSlot the slot that the next chunk will take, or -1
 * @param nextAllocationId the id that the next allocation will have
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
   * One chunk. Slots of neighbours are -1 where there is none, as is the id of a free chunk and the
   * bin of one that is in none.
   *
   * @param requestedBytes of the last request that the slot served
   * @param scopes in which it was allocated
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
