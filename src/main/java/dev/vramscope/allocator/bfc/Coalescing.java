package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.ReleaseRanking;

/** Coalesces free neighbours, and returns free chunks next to the central gap to it. */
final class Coalescing {
  private final ChunkTable chunks;
  private final FreeChunks free;
  private final ReleaseRanking ranking;
  private final boolean partitioned;

  Coalescing(ChunkTable chunks, FreeChunks free, ReleaseRanking ranking, boolean partitioned) {
    this.chunks = chunks;
    this.free = free;
    this.ranking = ranking;
    this.partitioned = partitioned;
  }

  /**
   * Merges a free chunk, which is in no bin, with its free neighbours: first the next, then the
   * previous one. Chunks that still have a free count are not merged.
   *
   * @return the merged chunk; it is in its bin
   */
  int coalesce(int slot) {
    return insert(chunks.freedAt(slot) > 0 ? slot : merge(slot, /* ignoringCounts= */ false));
  }

  /** As {@link #coalesce}, but also merges chunks that still have a free count. */
  int coalesceIgnoringCounts(int slot) {
    return insert(merge(slot, /* ignoringCounts= */ true));
  }

  private int merge(int slot, boolean ignoringCounts) {
    int next = chunks.next(slot);
    if (next != ChunkTable.NONE && canMerge(next, ignoringCounts)) {
      free.remove(next);
      chunks.merge(slot, next);
    }
    int previous = chunks.previous(slot);
    if (previous != ChunkTable.NONE && canMerge(previous, ignoringCounts)) {
      free.remove(previous);
      chunks.merge(previous, slot);
      return previous;
    }
    return slot;
  }

  private int insert(int slot) {
    free.insert(slot);
    ranking.neighboursChanged(slot);
    return slot;
  }

  private boolean canMerge(int slot, boolean ignoringCounts) {
    return !chunks.isAllocated(slot) && (ignoringCounts || chunks.freedAt(slot) == 0);
  }

  /** Tags a free chunk as part of the gap unless its neighbour towards the gap has its tag. */
  void returnToGap(int slot) {
    if (!partitioned) {
      return;
    }
    int tag = chunks.tag(slot);
    int inner = tag == ChunkTable.LOWER ? chunks.next(slot) : chunks.previous(slot);
    if (inner == ChunkTable.NONE || chunks.tag(inner) != tag) {
      chunks.setTag(slot, ChunkTable.GAP);
    }
  }
}
