package dev.vramscope.analysis.stacks;

import dev.vramscope.model.StackTable;
import java.util.stream.IntStream;

/**
 * Amounts by node of a {@link CallTree}: of the stacks that end there, and of everything below.
 * Children are linked lists in arrays:
 *
 * <pre>
 *   firstChild[node] ──▶ child ── nextSibling[child] ──▶ … ──▶ 0
 * </pre>
 */
final class CallTreeSums {
  /** The sums of a tree without stacks. */
  static final CallTreeSums EMPTY = new CallTreeSums(StackTable.EMPTY);

  private final StackTable tree;
  private final double[] selfAmounts;
  private final int[] selfCounts;
  private final double[] amounts;
  private final int[] counts;
  private final int[] firstChild;
  private final int[] nextSibling;

  private CallTreeSums(StackTable tree) {
    this.tree = tree;
    int nodes = tree.nodeCount();
    selfAmounts = new double[nodes];
    selfCounts = new int[nodes];
    firstChild = new int[nodes];
    nextSibling = new int[nodes];
    amounts = new double[nodes];
    counts = new int[nodes];
  }

  static CallTreeSums of(CallTree tree, StackWeights weights) {
    CallTreeSums sums = new CallTreeSums(tree.tree());
    for (int stack = 0; stack < weights.stackCount(); stack++) {
      if (weights.count(stack) > 0) {
        int node = tree.nodeOf(stack);
        sums.selfAmounts[node] += weights.amount(stack);
        sums.selfCounts[node] += weights.count(stack);
      }
    }
    sums.addUp();
    return sums;
  }

  private void addUp() {
    // A parent has a smaller id, so all nodes below a node are added before it.
    for (int node = tree.nodeCount() - 1; node >= 0; node--) {
      amounts[node] += selfAmounts[node];
      counts[node] += selfCounts[node];
      if (node != StackTable.NONE && counts[node] > 0) {
        int parent = tree.parent(node);
        amounts[parent] += amounts[node];
        counts[parent] += counts[node];
        nextSibling[node] = firstChild[parent];
        firstChild[parent] = node;
      }
    }
  }

  StackTable tree() {
    return tree;
  }

  /** The amount of a node and everything below it. */
  double amount(int node) {
    return amounts[node];
  }

  /** The amount of the stacks that end at a node. */
  double selfAmount(int node) {
    return selfAmounts[node];
  }

  /** Allocations of a node and everything below it. */
  int count(int node) {
    return counts[node];
  }

  /** Allocations of the stacks that end at a node. */
  int selfCount(int node) {
    return selfCounts[node];
  }

  /** A node below this one that has allocations; 0 if there is none. */
  int firstChild(int node) {
    return firstChild[node];
  }

  /** The next node below the same parent; 0 after the last. */
  int nextSibling(int node) {
    return nextSibling[node];
  }

  /** The nodes at which stacks with allocations end. */
  int[] ends() {
    return IntStream.range(0, selfCounts.length).filter(node -> selfCounts[node] > 0).toArray();
  }
}
