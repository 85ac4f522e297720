package dev.vramscope.allocator;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * The allocated blocks, ranked by the contiguous free piece that freeing them would give.
 *
 * <p>An indexed binary heap: {@code heap[i]} is a block, {@code position[block]} its i, 0 where it
 * is not in the heap; {@code rank[block]} is what it is ordered by. A change costs O(log n). The
 * heap is built by the first question and kept up from then on, so that an allocator that is never
 * asked pays one test of a boolean.
 */
public final class ReleaseRanking {
  /** Blocks by slot, each linked to its neighbours: what is ranked. */
  public interface Blocks {
    /** Slots are below this. */
    int slotCount();

    /** Whether a slot number stands for a block, and not for a missing neighbour. */
    boolean isBlock(int slot);

    boolean isAllocated(int slot);

    /** Whether a block's bytes would join a freed neighbour's. */
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
  private boolean asked;

  public ReleaseRanking(Blocks blocks) {
    this.blocks = blocks;
  }

  /** The best blocks, best first; equal ones by address. */
  public int[] best(int limit) {
    if (!asked) {
      build();
    }
    int[] best = new int[Math.clamp(limit, 0, size)];
    // A block can be next only if its parent in the heap has been taken.
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
    asked = true;
    for (int block = 0; block < blocks.slotCount(); block++) {
      if (blocks.isBlock(block) && blocks.isAllocated(block)) {
        insert(block);
      }
    }
  }

  /** What lies free directly before and after a block. */
  public long adjacentFreeBytes(int block) {
    return freeBytes(blocks.previous(block)) + freeBytes(blocks.next(block));
  }

  /** The size of the free piece that freeing the block gives. */
  public long contiguousBytes(int block) {
    return blocks.bytes(block) + adjacentFreeBytes(block);
  }

  private long freeBytes(int neighbour) {
    return blocks.isBlock(neighbour) && blocks.isFree(neighbour) ? blocks.bytes(neighbour) : 0;
  }

  /** A block was allocated. */
  public void add(int block) {
    if (asked) {
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
    up(size);
  }

  /** A block is no longer allocated. */
  public void remove(int block) {
    if (!asked) {
      return;
    }
    int at = position[block];
    position[block] = 0;
    int last = heap[size--];
    if (last != block) {
      put(last, at);
      up(at);
      down(position[last]);
    }
  }

  /** What lies around a block changed: so may the rank of the nearest allocated blocks. */
  public void neighboursChanged(int block) {
    if (!asked) {
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
    up(position[block]);
    down(position[block]);
    return true;
  }

  private boolean isBetter(int a, int b) {
    return rank[a] > rank[b] || (rank[a] == rank[b] && blocks.address(a) < blocks.address(b));
  }

  private void up(int start) {
    int at = start;
    int block = heap[at];
    while (at > 1 && isBetter(block, heap[at >>> 1])) {
      put(heap[at >>> 1], at);
      at >>>= 1;
    }
    put(block, at);
  }

  private void down(int start) {
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

  /** Every allocated block is ranked, by what is true now. */
  public void checkInvariants() {
    if (!asked) {
      return;
    }
    int allocated = 0;
    for (int block = 0; block < blocks.slotCount(); block++) {
      if (blocks.isBlock(block) && blocks.isAllocated(block)) {
        allocated++;
        Laws.require(heap[position[block]] == block, "ranked block", block);
        Laws.require(rank[block] == contiguousBytes(block), "rank", block);
      }
    }
    Laws.require(allocated == size, "ranked block count", size);
    for (int at = 2; at <= size; at++) {
      Laws.require(!isBetter(heap[at], heap[at >>> 1]), "ranking order", at);
    }
  }
}
