package dev.vramscope.allocator;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * The allocated blocks, ranked by the contiguous free memory that freeing them would give.
 *
 * <p>An indexed binary heap: {@code heap[i]} is a block, {@code position[block]} its index i, 0 if
 * it is not in the heap; {@code rank[block]} is its sort key. A change costs O(log n). The heap is
 * built by the first query and maintained from then on, so that an allocator that is never queried
 * pays one test of a boolean.
 */
public final class ReleaseRanking {
  /** The ranked blocks, by slot, each linked to its neighbours. */
  public interface Blocks {
    /** An exclusive upper bound on slot numbers. */
    int slotCount();

    /** Whether a slot number denotes a block, and not a missing neighbour. */
    boolean isBlock(int slot);

    boolean isAllocated(int slot);

    /** Whether a block would be coalesced with a freed neighbour. */
    boolean isFree(int slot);

    long address(int slot);

    long bytes(int slot);

    int previous(int slot);

    int next(int slot);
  }

  private final Blocks blocks;
  private int[] heap = {0};
  private int[] position = {0};
  private long[] rank = {0};
  private int size;
  private boolean isBuilt;

  public ReleaseRanking(Blocks blocks) {
    this.blocks = blocks;
  }

  /** The best blocks, best first; ties are ordered by address. */
  public int[] best(int limit) {
    if (!isBuilt) {
      build();
    }
    int[] best = new int[Math.clamp(limit, 0, size)];
    // A block can be next only after its parent in the heap was returned.
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

  private void build() {
    isBuilt = true;
    for (int block = 0; block < blocks.slotCount(); block++) {
      if (blocks.isBlock(block) && blocks.isAllocated(block)) {
        insert(block);
      }
    }
  }

  /** The free bytes directly before and after a block. */
  public long adjacentFreeBytes(int block) {
    return freeBytes(blocks.previous(block)) + freeBytes(blocks.next(block));
  }

  /** The contiguous free bytes that freeing the block gives. */
  public long contiguousBytes(int block) {
    return blocks.bytes(block) + adjacentFreeBytes(block);
  }

  private long freeBytes(int neighbour) {
    return blocks.isBlock(neighbour) && blocks.isFree(neighbour) ? blocks.bytes(neighbour) : 0;
  }

  /** A block was allocated. */
  public void add(int block) {
    if (isBuilt) {
      insert(block);
      neighboursChanged(block);
    }
  }

  private void insert(int block) {
    if (block >= position.length) {
      int length = Math.max(2 * position.length, blocks.slotCount());
      position = Arrays.copyOf(position, length);
      rank = Arrays.copyOf(rank, length);
    }
    if (++size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * heap.length);
    }
    rank[block] = contiguousBytes(block);
    put(block, size);
    siftUp(size);
  }

  /** A block is no longer allocated. */
  public void remove(int block) {
    if (!isBuilt) {
      return;
    }
    int at = position[block];
    position[block] = 0;
    int last = heap[size--];
    if (last != block) {
      put(last, at);
      siftUp(at);
      siftDown(position[last]);
    }
  }

  /** The neighbours of a block changed, and with them the rank of the nearest allocated blocks. */
  public void neighboursChanged(int block) {
    if (!isBuilt) {
      return;
    }
    int before = blocks.previous(block);
    if (blocks.isBlock(before) && !update(before)) {
      update(blocks.previous(before));
    }
    int after = blocks.next(block);
    if (blocks.isBlock(after) && !update(after)) {
      update(blocks.next(after));
    }
  }

  private boolean update(int block) {
    if (!blocks.isBlock(block) || !blocks.isAllocated(block)) {
      return false;
    }
    rank[block] = contiguousBytes(block);
    siftUp(position[block]);
    siftDown(position[block]);
    return true;
  }

  private boolean isBetter(int a, int b) {
    return rank[a] > rank[b] || (rank[a] == rank[b] && blocks.address(a) < blocks.address(b));
  }

  private void siftUp(int start) {
    int at = start;
    int block = heap[at];
    while (at > 1 && isBetter(block, heap[at >>> 1])) {
      put(heap[at >>> 1], at);
      at >>>= 1;
    }
    put(block, at);
  }

  private void siftDown(int start) {
    int at = start;
    int block = heap[at];
    while (2 * at <= size) {
      int child = 2 * at;
      if (child < size && isBetter(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBetter(heap[child], block)) {
        break;
      }
      put(heap[child], at);
      at = child;
    }
    put(block, at);
  }

  private void put(int block, int at) {
    heap[at] = block;
    position[block] = at;
  }

  /** Every allocated block is in the heap, with its present rank. */
  public void checkInvariants() {
    if (!isBuilt) {
      return;
    }
    int allocated = 0;
    for (int block = 0; block < blocks.slotCount(); block++) {
      if (blocks.isBlock(block) && blocks.isAllocated(block)) {
        allocated++;
        Invariants.require(heap[position[block]] == block, "ranked block", block);
        Invariants.require(rank[block] == contiguousBytes(block), "rank", block);
      }
    }
    Invariants.require(allocated == size, "ranked block count", size);
    for (int at = 2; at <= size; at++) {
      Invariants.require(!isBetter(heap[at], heap[at >>> 1]), "ranking order", at);
    }
  }
}
