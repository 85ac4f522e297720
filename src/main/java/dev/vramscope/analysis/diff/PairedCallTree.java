package dev.vramscope.analysis.diff;

import dev.vramscope.analysis.stacks.CallTree;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The call trees of two devices as one tree: a node is a path of frames that are the same place in
 * the code, with the bytes of both sides. Children are linked lists in arrays, as in CallTreeSums.
 */
final class PairedCallTree {
  /** What is not a node. */
  static final int NONE = -1;

  /** Bytes of the stacks that end at each node, then of everything below too. */
  private final long[] before;

  private final long[] after;
  private final long[] widths;
  private final int[] firstChild;
  private final int[] nextSibling;
  private final StackTable tree;
  private final int[] beforeFrame;
  private final int[] afterFrame;
  private final List<Frame> beforeFrames;
  private final List<Frame> afterFrames;

  PairedCallTree(DeviceMoment first, CallTree firstTree, DeviceMoment second, CallTree secondTree) {
    StackTable firstStacks = first.stacks().stacks();
    StackTable secondStacks = second.stacks().stacks();
    CommonFrames frames = CommonFrames.of(firstStacks, secondStacks);
    StackTable.Builder builder = new StackTable.Builder();
    int[] firstNodes = add(builder, firstTree.tree(), frames::before);
    int[] secondNodes = add(builder, secondTree.tree(), frames::after);
    tree = builder.build();
    before = selfBytes(first, firstTree, firstNodes);
    after = selfBytes(second, secondTree, secondNodes);
    widths = new long[tree.nodeCount()];
    Arrays.setAll(widths, node -> Math.max(before[node], after[node]));
    firstChild = new int[tree.nodeCount()];
    nextSibling = new int[tree.nodeCount()];
    addUp();
    beforeFrames = firstStacks.frames();
    afterFrames = secondStacks.frames();
    beforeFrame = inverse(beforeFrames.size(), frames.count(), frames::before);
    afterFrame = inverse(afterFrames.size(), frames.count(), frames::after);
  }

  private static int[] add(StackTable.Builder builder, StackTable tree, IntUnaryOperator frames) {
    int[] nodes = new int[tree.nodeCount()];
    // A parent has a smaller id, so its node is already known.
    for (int node = 1; node < nodes.length; node++) {
      int frame = frames.applyAsInt(tree.frameNumber(node));
      nodes[node] = builder.child(nodes[tree.parent(node)], frame);
    }
    return nodes;
  }

  private long[] selfBytes(DeviceMoment moment, CallTree callTree, int[] nodes) {
    StackTotals totals = StackTotals.of(moment);
    long[] bytes = new long[tree.nodeCount()];
    for (int stack = 0; stack < totals.beforeRecording(); stack++) {
      bytes[nodes[callTree.nodeOf(stack)]] += totals.bytes(stack);
    }
    bytes[StackTable.NONE] += totals.bytes(totals.beforeRecording());
    return bytes;
  }

  private void addUp() {
    for (int node = tree.nodeCount() - 1; node > 0; node--) {
      if (widths[node] > 0) {
        int parent = tree.parent(node);
        before[parent] += before[node];
        after[parent] += after[node];
        widths[parent] += widths[node];
        nextSibling[node] = firstChild[parent];
        firstChild[parent] = node;
      }
    }
  }

  private static int[] inverse(int size, int count, IntUnaryOperator numbers) {
    int[] inverse = new int[count];
    Arrays.fill(inverse, NONE);
    for (int frame = size - 1; frame >= 0; frame--) {
      inverse[numbers.applyAsInt(frame)] = frame;
    }
    return inverse;
  }

  /** Bytes of the first side at a node and below it. */
  long before(int node) {
    return before[node];
  }

  /** Bytes of the second side at a node and below it. */
  long after(int node) {
    return after[node];
  }

  /** The sum over the stacks at a node and below it of the larger side, in bytes. */
  long width(int node) {
    return widths[node];
  }

  boolean isLeaf(int node) {
    return firstChild[node] == 0;
  }

  /** The common number of a node's frame; {@link #NONE} of the root. */
  int frame(int node) {
    return node == StackTable.NONE ? NONE : tree.frameNumber(node);
  }

  /** A frame as the second side has it or, if only the first one has it, as that one. */
  FlameDiff.SideFrame sideFrame(int frame) {
    int number = afterFrame[frame];
    return number == NONE
        ? FlameDiff.SideFrame.before(beforeFrames.get(beforeFrame[frame]), beforeFrame[frame])
        : FlameDiff.SideFrame.after(afterFrames.get(number), number);
  }

  /** The nodes below a node that have bytes, widest first. */
  List<Integer> children(int node) {
    List<Integer> children = new ArrayList<>();
    for (int child = firstChild[node]; child != 0; child = nextSibling[child]) {
      children.add(child);
    }
    children.sort(
        Comparator.comparingLong((Integer child) -> widths[child])
            .reversed()
            .thenComparing(Comparator.naturalOrder()));
    return children;
  }

  /** The node below another one with a frame; {@link #NONE} if there is none. */
  int child(int node, int frame) {
    for (int child = firstChild[node]; child != 0; child = nextSibling[child]) {
      if (tree.frameNumber(child) == frame) {
        return child;
      }
    }
    return NONE;
  }
}
