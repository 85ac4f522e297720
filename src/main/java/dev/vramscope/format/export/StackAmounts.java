package dev.vramscope.format.export;

import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * Amounts of memory by call stack, for programs that draw flame graphs. Amounts are rounded down to
 * whole units.
 */
public final class StackAmounts {
  /** What stands in place of a stack that has no frame, or none that is shown. */
  static final String NO_FRAME = "(no frame)";

  /** Deeper stacks are cut at their outer end: each stack is written in full. */
  private static final int MAX_DEPTH = 2_000;

  private final StackTable stacks;
  private final String name;
  private final String unit;
  private final double[] amounts;
  private final long[] counts;

  /**
   * Amounts that are all 0.
   *
   * @param name what the amounts are, such as {@code live}
   * @param unit such as {@code bytes}
   */
  public StackAmounts(StackTable stacks, String name, String unit) {
    this.stacks = stacks;
    this.name = name;
    this.unit = unit;
    amounts = new double[stacks.nodeCount()];
    counts = new long[stacks.nodeCount()];
  }

  /** Adds to the amount of a stack. */
  public void add(int stack, double amount, int count) {
    amounts[stack] += amount;
    counts[stack] += count;
  }

  StackTable stacks() {
    return stacks;
  }

  String name() {
    return name;
  }

  String unit() {
    return unit;
  }

  /** The stacks with an amount. */
  int[] used() {
    int[] used = new int[amounts.length];
    int count = 0;
    for (int stack = 0; stack < amounts.length; stack++) {
      if (amount(stack) > 0) {
        used[count++] = stack;
      }
    }
    return Arrays.copyOf(used, count);
  }

  /** The numbers of all frames of the stacks with an amount. */
  BitSet usedFrames() {
    BitSet nodes = new BitSet(amounts.length);
    BitSet frames = new BitSet(stacks.frames().size());
    for (int stack : used()) {
      for (int node = stack;
          node != StackTable.NONE && !nodes.get(node);
          node = stacks.parent(node)) {
        nodes.set(node);
        frames.set(stacks.frameNumber(node));
      }
    }
    return frames;
  }

  long amount(int stack) {
    return (long) amounts[stack];
  }

  /** Number of allocations. */
  long count(int stack) {
    return counts[stack];
  }

  /** The numbers of the frames of a stack, innermost first. */
  List<Integer> innermostFirst(int stack) {
    List<Integer> path = new ArrayList<>();
    for (int node = stack;
        node != StackTable.NONE && path.size() < MAX_DEPTH;
        node = stacks.parent(node)) {
      path.add(stacks.frameNumber(node));
    }
    return path;
  }

  /** The numbers of the frames of a stack, outermost first. */
  List<Integer> outermostFirst(int stack) {
    List<Integer> path = innermostFirst(stack);
    Collections.reverse(path);
    return path;
  }
}
