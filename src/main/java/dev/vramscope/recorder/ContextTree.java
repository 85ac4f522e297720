package dev.vramscope.recorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Contexts as nodes of a prefix tree: a node has a frame and the node of its caller as parent.
 *
 * <pre>
 *   node      0 = none (also the root)
 *   parents[node], frames[node]           never change once a slot refers to the node
 *   slots[hash(parent, frame)…]           node, 0 = empty; at most half full
 * </pre>
 *
 * An existing node is found without locking. One thread at a time adds a node, and writes the node
 * before the slot; growing publishes new arrays in one step, and a reader of the old arrays at
 * worst misses a node and searches again under the lock.
 *
 * <p>Bounded: once the tree is full, a new path is cut at its last existing node, and is counted.
 */
final class ContextTree {
  /** The node that means no context. */
  static final int NONE = 0;

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);

  private static final class Table {
    private final int[] parents;
    private final int[] frames;
    private final int[] slots;

    Table(int[] parents, int[] frames, int[] slots) {
      this.parents = parents;
      this.frames = frames;
      this.slots = slots;
    }

    int find(int parent, int frame) {
      int mask = slots.length - 1;
      int slot = hash(parent, frame) & mask;
      while (true) {
        int node = (int) SLOT.getAcquire(slots, slot);
        if (node == NONE || (parents[node] == parent && frames[node] == frame)) {
          return node;
        }
        slot = (slot + 1) & mask;
      }
    }

    void add(int node) {
      int mask = slots.length - 1;
      int slot = hash(parents[node], frames[node]) & mask;
      while (slots[slot] != NONE) {
        slot = (slot + 1) & mask;
      }
      SLOT.setRelease(slots, slot, node);
    }

    Table grown(int nodes) {
      Table grown =
          new Table(
              Arrays.copyOf(parents, 2 * parents.length),
              Arrays.copyOf(frames, 2 * frames.length),
              new int[2 * slots.length]);
      for (int node = 1; node < nodes; node++) {
        grown.add(node);
      }
      return grown;
    }
  }

  private final int maxNodes;
  private final LongAdder dropped = new LongAdder();
  private volatile Table table = new Table(new int[512], new int[512], new int[1024]);
  private volatile int nodes = 1;

  ContextTree(int maxNodes) {
    this.maxNodes = maxNodes;
  }

  /** The node of {@code frame} called from {@code parent}; {@code parent} itself once full. */
  int child(int parent, int frame) {
    int node = table.find(parent, frame);
    return node != NONE ? node : add(parent, frame);
  }

  /** Paths that were cut because the tree is full. */
  long droppedCount() {
    return dropped.sum();
  }

  int nodeCount() {
    return nodes;
  }

  int parent(int node) {
    return table.parents[node];
  }

  int frame(int node) {
    return table.frames[node];
  }

  private synchronized int add(int parent, int frame) {
    int existing = table.find(parent, frame);
    if (existing != NONE) {
      return existing;
    }
    if (nodes == maxNodes) {
      dropped.increment();
      return parent;
    }
    int node = nodes;
    Table current = node == table.parents.length ? table.grown(node) : table;
    current.parents[node] = parent;
    current.frames[node] = frame;
    current.add(node);
    table = current;
    nodes = node + 1;
    return node;
  }

  private static int hash(int parent, int frame) {
    return (int) (((((long) parent << 32) ^ frame) * 0x9E3779B97F4A7C15L) >>> 32);
  }
}
