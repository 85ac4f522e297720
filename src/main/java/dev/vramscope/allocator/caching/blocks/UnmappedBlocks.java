package dev.vramscope.allocator.caching.blocks;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The few unmapped blocks of a pool and stream, in address order. */
public final class UnmappedBlocks {
  private final Blocks blocks;
  private int[] slots = new int[4];
  private int size;

  public UnmappedBlocks(Blocks blocks) {
    this.blocks = blocks;
  }

  public int size() {
    return size;
  }

  public int get(int index) {
    return slots[index];
  }

  public IntStream stream() {
    return Arrays.stream(slots, 0, size);
  }

  public void insert(int block) {
    int at = indexOf(blocks.address(block));
    if (size == slots.length) {
      slots = Arrays.copyOf(slots, 2 * size);
    }
    System.arraycopy(slots, at, slots, at + 1, size - at);
    slots[at] = block;
    size++;
  }

  public void remove(int block) {
    int at = indexOf(blocks.address(block));
    if (at == size || slots[at] != block) {
      throw new IllegalStateException(
          "Block at 0x"
              + Long.toHexString(blocks.address(block))
              + " is not in the list of unmapped blocks.");
    }
    System.arraycopy(slots, at + 1, slots, at, size - at - 1);
    size--;
  }

  /** The number of blocks that begin before an address. */
  private int indexOf(long address) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (blocks.address(slots[middle]) < address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
