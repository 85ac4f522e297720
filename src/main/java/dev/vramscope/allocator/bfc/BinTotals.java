package dev.vramscope.allocator.bfc;

/**
 * Totals of the chunks of one bin's size class, in use or free. A central gap belongs to no bin.
 *
 * @param bytesInUse sizes of the allocated chunks
 * @param bytes sizes of all chunks
 * @param requestedBytesInUse requested sizes of the allocated chunks
 * @param chunksInUse number of allocated chunks
 * @param chunks number of all chunks
 */
public record BinTotals(
    int bin, long bytesInUse, long bytes, long requestedBytesInUse, long chunksInUse, long chunks) {
  static BinTotals[] of(ChunkTable table, Regions regions) {
    long[] bytesInUse = new long[Bins.COUNT];
    long[] bytes = new long[Bins.COUNT];
    long[] requested = new long[Bins.COUNT];
    long[] inUse = new long[Bins.COUNT];
    long[] all = new long[Bins.COUNT];
    for (Region region : regions) {
      for (int slot = region.firstChunk; slot != ChunkTable.NONE; slot = table.next(slot)) {
        if (slot == region.centralGap()) {
          continue;
        }
        int bin = Bins.of(table.bytes(slot));
        bytes[bin] += table.bytes(slot);
        all[bin]++;
        if (table.isAllocated(slot)) {
          bytesInUse[bin] += table.bytes(slot);
          requested[bin] += table.requestedBytes(slot);
          inUse[bin]++;
        }
      }
    }
    BinTotals[] totals = new BinTotals[Bins.COUNT];
    for (int bin = 0; bin < Bins.COUNT; bin++) {
      totals[bin] =
          new BinTotals(bin, bytesInUse[bin], bytes[bin], requested[bin], inUse[bin], all[bin]);
    }
    return totals;
  }

  /** The smallest chunk size of this class. */
  public long smallestBytes() {
    return Bins.smallestBytes(bin);
  }
}
