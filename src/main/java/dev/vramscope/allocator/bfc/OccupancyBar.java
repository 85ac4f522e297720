package dev.vramscope.allocator.bfc;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The pool's occupancy as a line of 100 characters: {@code *} is requested memory, {@code x} is
 * allocated beyond the requested size, {@code _} is free. Regions follow each other without the
 * address gaps between them.
 */
final class OccupancyBar {
  private static final int CELLS = 100;
  private static final String EMPTY = "<allocator contains no memory>";

  private final char[] cells = new char[CELLS];
  private final long poolBytes;

  private OccupancyBar(long poolBytes) {
    this.poolBytes = poolBytes;
    Arrays.fill(cells, '_');
  }

  static String of(ChunkTable chunks, Regions regions) {
    if (regions.poolBytes() == 0) {
      return EMPTY;
    }
    OccupancyBar bar = new OccupancyBar(regions.poolBytes());
    long offset = 0;
    for (Region region : regions) {
      for (int slot = region.firstChunk; slot != ChunkTable.NONE; slot = chunks.next(slot)) {
        if (chunks.isAllocated(slot)) {
          long start = offset + chunks.address(slot) - region.address;
          long requested = chunks.requestedBytes(slot);
          long wasted = chunks.bytes(slot) - requested;
          if (wasted > 0) {
            bar.fill(start + requested, wasted, 'x');
          }
          bar.fill(start, requested, '*');
        }
      }
      offset += region.bytes();
    }
    return new String(bar.cells);
  }

  private void fill(long start, long bytes, char symbol) {
    Arrays.fill(cells, cellOf(start), cellOf(start + bytes - 1) + 1, symbol);
  }

  /** Exact even if a hundred times the offset exceeds 64 bits. */
  private int cellOf(long offset) {
    return BigInteger.valueOf(offset)
        .multiply(BigInteger.valueOf(CELLS))
        .divide(BigInteger.valueOf(poolBytes))
        .intValue();
  }
}
