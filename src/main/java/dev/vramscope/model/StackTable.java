package dev.vramscope.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The call stacks of a snapshot: interned frames, and stacks as nodes of a prefix tree.
 *
 * <pre>
 *   node 0 = no stack (also the root)          main ── train ── forward ── matmul
 *   node n = (parent, frame)                                 └─ backward
 * </pre>
 *
 * A node is a frame, and the nodes on the path to the root are its callers. The id of a stack is
 * the node of its innermost frame, equal outer parts are stored once, and a flame graph is a
 * traversal of the tree. A parent always has a smaller id than its children.
 */
public final class StackTable {
  /** The id of a stack that was not recorded. */
  public static final int NONE = 0;

  /** A table without stacks. */
  public static final StackTable EMPTY = new Builder().build();

  private final List<Frame> frames;
  private final int[] parents;
  private final int[] frameOf;

  private StackTable(List<Frame> frames, int[] parents, int[] frameOf) {
    this.frames = frames;
    this.parents = parents;
    this.frameOf = frameOf;
  }

  /** Number of nodes, including the root; ids range from 0 to this number, exclusive. */
  public int nodeCount() {
    return parents.length;
  }

  /** The distinct frames. */
  public List<Frame> frames() {
    return frames;
  }

  /** The caller's node; {@link #NONE} for an outermost frame. */
  public int parent(int node) {
    return parents[node];
  }

  /** The number of a node's frame in {@link #frames()}; the root has none. */
  public int frameNumber(int node) {
    if (node == NONE) {
      throw new IllegalArgumentException("node 0 is the root and has no frame");
    }
    return frameOf[node];
  }

  /** The innermost frame of a stack other than {@link #NONE}. */
  public Frame frame(int node) {
    return frames.get(frameNumber(node));
  }

  /** Number of frames of a stack. */
  public int depth(int stack) {
    int depth = 0;
    for (int node = stack; node != NONE; node = parents[node]) {
      depth++;
    }
    return depth;
  }

  /** The frames of a stack, innermost first; empty for {@link #NONE}. */
  public List<Frame> framesOf(int stack) {
    List<Frame> stackFrames = new ArrayList<>();
    for (int node = stack; node != NONE; node = parents[node]) {
      stackFrames.add(frame(node));
    }
    return stackFrames;
  }

  /** Approximate heap bytes of nodes and frames. */
  public long heapBytes() {
    long text = 0;
    for (Frame frame : frames) {
      text += 120L + frame.name().length() + frame.file().length();
    }
    return 8L * parents.length + text;
  }

  /** Interns frames and stacks. Not thread-safe. */
  public static final class Builder {
    private final List<Frame> frames = new ArrayList<>();
    private final Map<Frame, Integer> frameNumbers = new HashMap<>();
    private int[] parents = new int[64];
    private int[] frameOf = new int[64];
    private int nodes = 1;
    // Hash table of the nodes by (parent, frame), with open addressing. 0 is an empty slot, since
    // the root has no parent. At most half full; the length is a power of two.
    private int[] children = new int[256];

    /** The number of a frame; equal frames have the same number. */
    public int frame(Frame frame) {
      Integer number = frameNumbers.putIfAbsent(frame, frames.size());
      if (number != null) {
        return number;
      }
      frames.add(frame);
      return frames.size() - 1;
    }

    /**
     * Adds a frame that is not in the table yet. A reader that detects equal frames itself avoids
     * hashing their strings, for which a hostile file could contain collisions.
     */
    public int newFrame(Frame frame) {
      frames.add(frame);
      return frames.size() - 1;
    }

    /** The node of {@code frame} called from {@code parent}. */
    public int child(int parent, int frame) {
      int mask = children.length - 1;
      int slot = hash(parent, frame) & mask;
      for (int node = children[slot]; node != 0; node = children[slot]) {
        if (parents[node] == parent && frameOf[node] == frame) {
          return node;
        }
        slot = (slot + 1) & mask;
      }
      int node = append(parent, frame);
      children[slot] = node;
      if (nodes * 2 > children.length) {
        rehash();
      }
      return node;
    }

    /**
     * The stack of the frames {@code numbers[from..to)}, innermost first; {@link #NONE} if there
     * are none.
     */
    public int stack(int[] numbers, int from, int to) {
      int node = NONE;
      for (int i = to - 1; i >= from; i--) {
        node = child(node, numbers[i]);
      }
      return node;
    }

    /** The stack of some frames, innermost first. */
    public int stack(List<Frame> innermostFirst) {
      int[] numbers = innermostFirst.stream().mapToInt(this::frame).toArray();
      return stack(numbers, 0, numbers.length);
    }

    /** Number of frames of a stack. */
    public int depth(int stack) {
      int depth = 0;
      for (int node = stack; node != NONE; node = parents[node]) {
        depth++;
      }
      return depth;
    }

    /** The numbers of the frames of a stack, innermost first. */
    public int[] frameNumbers(int stack) {
      int[] numbers = new int[depth(stack)];
      int node = stack;
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = frameOf[node];
        node = parents[node];
      }
      return numbers;
    }

    public int nodeCount() {
      return nodes;
    }

    public int frameCount() {
      return frames.size();
    }

    public StackTable build() {
      return new StackTable(
          List.copyOf(frames), Arrays.copyOf(parents, nodes), Arrays.copyOf(frameOf, nodes));
    }

    private int append(int parent, int frame) {
      if (nodes == parents.length) {
        parents = Arrays.copyOf(parents, nodes * 2);
        frameOf = Arrays.copyOf(frameOf, nodes * 2);
      }
      parents[nodes] = parent;
      frameOf[nodes] = frame;
      return nodes++;
    }

    private void rehash() {
      children = new int[children.length * 4];
      int mask = children.length - 1;
      for (int node = 1; node < nodes; node++) {
        int slot = hash(parents[node], frameOf[node]) & mask;
        while (children[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        children[slot] = node;
      }
    }

    private static int hash(int parent, int frame) {
      return (int) (SeededHash.of(((long) parent << 32) ^ frame) >>> 32);
    }
  }
}
