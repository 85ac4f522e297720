package dev.vramscope.allocator.caching.blocks;

import java.util.Arrays;

/**
 * The handles of the memory that is mapped at the pages of a reservation, 0 where none is. Pages
 * that were never mapped take no memory: a reservation is larger than the device, and a recording
 * may have mapped a page at each end of it.
 */
final class PageHandles {
  private static final int LOG2_CHUNK = 6;
  private static final int CHUNK_MASK = (1 << LOG2_CHUNK) - 1;
  private static final long[] NEVER_MAPPED = new long[1 << LOG2_CHUNK];

  private long[][] chunks = {};

  long get(int page) {
    return page >>> LOG2_CHUNK < chunks.length ? chunks[page >>> LOG2_CHUNK][page & CHUNK_MASK] : 0;
  }

  void set(int page, long handle) {
    int chunk = page >>> LOG2_CHUNK;
    if (chunk >= chunks.length) {
      int from = chunks.length;
      chunks = Arrays.copyOf(chunks, Math.max(chunk + 1, 2 * from));
      Arrays.fill(chunks, from, chunks.length, NEVER_MAPPED);
    }
    if (Arrays.equals(chunks[chunk], NEVER_MAPPED)) {
      chunks[chunk] = new long[1 << LOG2_CHUNK];
    }
    chunks[chunk][page & CHUNK_MASK] = handle;
  }
}
