package dev.vramscope.allocator.bfc;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * The allocated chunks, ranked by the contiguous free piece that freeing them would give.
 *
 * <p>An indexed binary heap: {@code heap[i]} is a slot, from i = 1; {@code position[slot]} its i, 0
 * where it is not in the heap; {@code rank[slot]} is what it is ordered by. A change costs O(log
 * n). The heap is built by the first question and kept up from then on, so that an allocator that
 * is never asked pays one test.
 */
final class ReleaseRanking {
  private final ChunkTable chunks;
  private int[] heap = {0};
  private int[] position = {0};
  private long[] rank = {0};
  private int size;
  private boolean asked;

  ReleaseRanking(ChunkTable chunks) {
    this.chunks = chunks;
  }

  /** The slots of the best chunks, best first; equal ones by address. */
  int[] best(int limit) {
    if (!asked) {
      asked = true;
      for (int slot = 0; slot < chunks.slotCount(); slot++) {
        if (chunks.isAllocated(slot)) {
          insert(slot);
        }
      }
    }
    int[] best = new int[Math.clamp(limit, 0, size)];
    // A chunk can be next only if its parent in the heap has been taken.
    PriorityQueue<Integer> candidates =
        new PriorityQueue<>((a, b) -> isBetter(heap[a], heap[b]) ? -1 : a.equals(b) ? 0 : 1);
    if (size > 0) {
      candidates.add(1);
    }
    for (int i = 0; i < best.length; i++) {
      int at = candidates.remove();
      best[i] = heap[at];
      for (int child = 2 * at; child <= Math.min(2 * at + 1, size); child++) {
        candidates.add(child);
      }
    }
    return best;
  }

  /** What lies free directly before and after a chunk. */
  long adjacentFreeBytes(int slot) {
    return freeBytes(chunks.previous(slot)) + freeBytes(chunks.next(slot));
  }

  /** The size of the free piece that freeing the chunk gives. */
  long contiguousBytes(int slot) {
    return chunks.bytes(slot) + adjacentFreeBytes(slot);
  }

  private long freeBytes(int neighbour) {
    return neighbour == ChunkTable.NONE || chunks.isAllocated(neighbour)
        ? 0
        : chunks.bytes(neighbour);
  }

  /** A chunk was allocated. */
  void add(int slot) {
    if (asked) {
      insert(slot);
      neighboursChanged(slot);
    }
  }

  private void insert(int slot) {
    if (slot >= position.length) {
      int length = Math.max(2 * position.length, chunks.slotCount());
      position = Arrays.copyOf(position, length);
      rank = Arrays.copyOf(rank, length);
    }
    if (++size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * heap.length);
    }
    rank[slot] = contiguousBytes(slot);
    put(slot, size);
    up(size);
  }

  /** A chunk is no longer allocated. */
  void remove(int slot) {
    if (!asked) {
      return;
    }
    int at = position[slot];
    position[slot] = 0;
    int last = heap[size--];
    if (last != slot) {
      put(last, at);
      up(at);
      down(position[last]);
    }
  }

  /** What lies around a chunk changed: so may the rank of the nearest allocated chunks. */
  void neighboursChanged(int slot) {
    if (!asked) {
      return;
    }
    int before = chunks.previous(slot);
    if (before != ChunkTable.NONE && !update(before)) {
      update(chunks.previous(before));
    }
    int after = chunks.next(slot);
    if (after != ChunkTable.NONE && !update(after)) {
      update(chunks.next(after));
    }
  }

  private boolean update(int slot) {
    if (slot == ChunkTable.NONE || !chunks.isAllocated(slot)) {
      return false;
    }
    rank[slot] = contiguousBytes(slot);
    up(position[slot]);
    down(position[slot]);
    return true;
  }

  private boolean isBetter(int a, int b) {
    return rank[a] > rank[b] || (rank[a] == rank[b] && chunks.address(a) < chunks.address(b));
  }

  private void up(int start) {
    int at = start;
    int slot = heap[at];
    while (at > 1 && isBetter(slot, heap[at >>> 1])) {
      put(heap[at >>> 1], at);
      at >>>= 1;
    }
    put(slot, at);
  }

  private void down(int start) {
    int at = start;
    int slot = heap[at];
    while (2 * at <= size) {
      int child = 2 * at;
      if (child < size && isBetter(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBetter(heap[child], slot)) {
        break;
      }
      put(heap[child], at);
      at = child;
    }
    put(slot, at);
  }

  private void put(int slot, int at) {
    heap[at] = slot;
    position[slot] = at;
  }

  /** Every allocated chunk is ranked, by what is true now. */
  void checkInvariants() {
    if (!asked) {
      return;
    }
    int allocated = 0;
    for (int slot = 0; slot < chunks.slotCount(); slot++) {
      if (chunks.isAllocated(slot)) {
        allocated++;
        Laws.require(heap[position[slot]] == slot, "ranked chunk", slot);
        Laws.require(rank[slot] == contiguousBytes(slot), "rank", slot);
      }
    }
    Laws.require(allocated == size, "ranked chunk count", size);
    for (int at = 2; at <= size; at++) {
      Laws.require(!isBetter(heap[at], heap[at >>> 1]), "ranking order", at);
    }
  }
}
