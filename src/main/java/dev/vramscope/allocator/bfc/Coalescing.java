package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.ReleaseRanking;

/** Makes one chunk of free neighbours, and gives what lies at the gap back to it. */
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
   * Merges a free chunk, which is in no bin, with its free neighbours, first the next, then the
   * previous one. A chunk whose time has not come stays alone.
   *
   * @return the merged chunk, in its bin
   */
  int coalesce(int slot) {
    return keep(chunks.freedAt(slot) > 0 ? slot : merge(slot, false));
  }

  /** As {@link #coalesce}, whether or not the time of the chunk and its neighbours has come. */
  int coalesceAtAnyTime(int slot) {
    return keep(merge(slot, true));
  }

  private int merge(int slot, boolean atAnyTime) {
    int next = chunks.next(slot);
    if (next != ChunkTable.NONE && canMerge(next, atAnyTime)) {
      free.remove(next);
      chunks.merge(slot, next);
    }
    int previous = chunks.previous(slot);
    if (previous != ChunkTable.NONE && canMerge(previous, atAnyTime)) {
      free.remove(previous);
      chunks.merge(previous, slot);
      return previous;
    }
    return slot;
  }

  private int keep(int slot) {
    free.insert(slot);
    ranking.neighboursChanged(slot);
    return slot;
  }

  private boolean canMerge(int slot, boolean atAnyTime) {
    return !chunks.isAllocated(slot) && (atAnyTime || chunks.freedAt(slot) == 0);
  }

  /** A free chunk without a neighbour of its tag on the inner side becomes part of the gap. */
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
