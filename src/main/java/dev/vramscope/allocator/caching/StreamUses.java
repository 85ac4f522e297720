package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.blocks.Blocks;
import java.util.Arrays;

/**
 * The streams, other than its own, that use a block: a linked list of nodes in two arrays, so that
 * recording a use does not allocate. Node 0 is the end of every list.
 */
final class StreamUses {
  private static final int END = 0;

  private final Blocks blocks;
  private int[] stream = new int[16];
  private int[] next = new int[16];
  private int nodes = 1;
  private int firstFree = END;

  StreamUses(Blocks blocks) {
    this.blocks = blocks;
  }

  boolean any(int block) {
    return blocks.firstUse(block) != END;
  }

  void add(int block, int user) {
    for (int node = blocks.firstUse(block); node != END; node = next[node]) {
      if (stream[node] == user) {
        return;
      }
    }
    int node = take();
    stream[node] = user;
    next[node] = blocks.firstUse(block);
    blocks.setFirstUse(block, node);
  }

  /** The stream of the first use of a block that has uses. */
  int first(int block) {
    return stream[blocks.firstUse(block)];
  }

  /** Removes the first use of a block. */
  void removeFirst(int block) {
    int node = blocks.firstUse(block);
    blocks.setFirstUse(block, next[node]);
    next[node] = firstFree;
    firstFree = node;
  }

  void remove(int block, int user) {
    int before = END;
    for (int node = blocks.firstUse(block); node != END; before = node, node = next[node]) {
      if (stream[node] == user) {
        if (before == END) {
          blocks.setFirstUse(block, next[node]);
        } else {
          next[before] = next[node];
        }
        next[node] = firstFree;
        firstFree = node;
        return;
      }
    }
  }

  private int take() {
    int node = firstFree;
    if (node != END) {
      firstFree = next[node];
      return node;
    }
    if (nodes == stream.length) {
      stream = Arrays.copyOf(stream, 2 * nodes);
      next = Arrays.copyOf(next, 2 * nodes);
    }
    return nodes++;
  }
}
