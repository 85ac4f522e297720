package dev.vramscope.analysis.diff;

import dev.vramscope.analysis.stacks.CallTree;
import dev.vramscope.analysis.stacks.FlameGraph;
import dev.vramscope.model.Frame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A flame graph of what two devices hold: the widest nodes first, until there are enough. A node is
 * as wide as the larger side of each of its stacks together, so that what only one side holds is
 * visible too, and the children of a node never need more room than it has. Children that are left
 * out are one node together, so that all sums add up.
 *
 * @param nodes the root first; a parent before its children; siblings by width, widest first, and
 *     the others last
 */
public record FlameDiff(List<Node> nodes) {
  public FlameDiff {
    nodes = List.copyOf(nodes);
  }

  /**
   * A frame at one place of the tree. Bytes are requested sizes of active allocations.
   *
   * @param parent index of the parent in the list of nodes; -1 for the root
   * @param frame number of the place in the code, for a path, or {@link FlameGraph#ROOT} or {@link
   *     FlameGraph#OTHERS}
   * @param side the frame, and whether it is of the first or second side; null without a frame
   * @param width bytes: the sum of the larger side of each stack
   * @param before bytes of the first side
   * @param after bytes of the second side
   * @param isCut whether its children are not in this picture
   */
  public record Node(
      int parent,
      int frame,
      @Nullable SideFrame side,
      long width,
      long before,
      long after,
      boolean isCut) {}

  /**
   * A frame of one of the two tables.
   *
   * @param isAfter whether it is of the second one
   * @param number in that table
   */
  public record SideFrame(Frame frame, boolean isAfter, int number) {
    static SideFrame before(Frame frame, int number) {
      return new SideFrame(frame, /* isAfter= */ false, number);
    }

    static SideFrame after(Frame frame, int number) {
      return new SideFrame(frame, /* isAfter= */ true, number);
    }
  }

  /**
   * Selects the widest nodes.
   *
   * @param path the numbers of the frames from the root to the node that becomes the root of the
   *     picture; without it if there is no such node
   * @param maxNodes the largest number of nodes, without those that stand for others
   */
  public static FlameDiff of(
      DeviceMoment before,
      CallTree beforeTree,
      DeviceMoment after,
      CallTree afterTree,
      List<Integer> path,
      int maxNodes) {
    PairedCallTree tree = new PairedCallTree(before, beforeTree, after, afterTree);
    int root = 0;
    for (int frame : path) {
      root = tree.child(root, frame);
      if (root == PairedCallTree.NONE) {
        return new FlameDiff(List.of());
      }
    }
    return new Selection(tree, maxNodes).of(root);
  }

  /** A node of the tree whose children are not selected yet. */
  private record Open(int index, int node, long width) {}

  private static final class Selection {
    private final PairedCallTree tree;
    private final int maxNodes;
    private final List<Node> nodes = new ArrayList<>();
    private final PriorityQueue<Open> open =
        new PriorityQueue<>(
            Comparator.comparingLong(Open::width).reversed().thenComparingInt(Open::index));
    private int selected;

    Selection(PairedCallTree tree, int maxNodes) {
      this.tree = tree;
      this.maxNodes = maxNodes;
    }

    FlameDiff of(int root) {
      add(-1, root);
      while (!open.isEmpty() && selected < maxNodes) {
        Open next = open.remove();
        Node node = nodes.get(next.index);
        nodes.set(
            next.index,
            new Node(
                node.parent,
                node.frame,
                node.side,
                node.width,
                node.before,
                node.after,
                /* isCut= */ false));
        addChildren(next);
      }
      return new FlameDiff(nodes);
    }

    private void addChildren(Open parent) {
      long width = 0;
      long before = 0;
      long after = 0;
      for (int child : tree.children(parent.node)) {
        if (selected < maxNodes) {
          add(parent.index, child);
        } else {
          width += tree.width(child);
          before += tree.before(child);
          after += tree.after(child);
        }
      }
      if (width > 0) {
        nodes.add(
            new Node(
                parent.index, FlameGraph.OTHERS, null, width, before, after, /* isCut= */ true));
      }
    }

    private void add(int parent, int node) {
      int frame = tree.frame(node);
      nodes.add(
          new Node(
              parent,
              frame == PairedCallTree.NONE ? FlameGraph.ROOT : frame,
              frame == PairedCallTree.NONE ? null : tree.sideFrame(frame),
              tree.width(node),
              tree.before(node),
              tree.after(node),
              !tree.isLeaf(node)));
      selected++;
      if (!tree.isLeaf(node)) {
        open.add(new Open(nodes.size() - 1, node, tree.width(node)));
      }
    }
  }
}
