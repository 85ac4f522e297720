package dev.vramscope.analysis.stacks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The part of a call tree that a picture can show: the largest nodes first, until there are enough.
 * Children that are left out are one node together, so that a node's own amount and its children
 * always add up to it.
 *
 * @param nodes the root first; a parent before its children; siblings by amount, largest first, and
 *     the others last
 */
public record FlameGraph(List<Node> nodes) {
  /** Instead of a frame: of the root. */
  public static final int ROOT = -1;

  /** Instead of a frame: of a node that stands for all siblings that are left out. */
  public static final int OTHERS = -2;

  public FlameGraph {
    nodes = List.copyOf(nodes);
  }

  /**
   * A frame at one place of the tree.
   *
   * @param parent index of the parent in the list of nodes; -1 for the root
   * @param frame number of the frame in the table of stacks, or {@link #ROOT} or {@link #OTHERS}
   * @param amount of the node and everything below it
   * @param selfAmount of stacks that end at this node
   * @param count allocations of the node and everything below it
   * @param isCut whether its children are not in this picture
   */
  public record Node(
      int parent, int frame, double amount, double selfAmount, int count, boolean isCut) {}

  /** What is below a frame. */
  public enum Direction {
    /** The frames that it calls; the root is the outermost. */
    CALLEES,
    /** The frames that call it; the innermost frames are below the root. */
    CALLERS
  }

  /**
   * Selects the largest nodes of a tree.
   *
   * @param path the frames from the root to the node that becomes the root of the picture
   * @param maxNodes the largest number of nodes, without those that stand for others
   */
  public static FlameGraph of(
      CallTree tree, StackWeights weights, Direction direction, List<Integer> path, int maxNodes) {
    FlameLevel root =
        switch (direction) {
          case CALLEES -> FlameLevel.callees(tree, weights);
          case CALLERS -> FlameLevel.callers(tree, weights);
        };
    for (int frame : path) {
      root = root.child(frame);
    }
    return new Selection(maxNodes).of(root);
  }

  /** A node whose children are not selected yet. */
  private record Open(int index, FlameLevel level) {}

  private static final class Selection {
    private final int maxNodes;
    private final List<Node> nodes = new ArrayList<>();
    private final PriorityQueue<Open> open =
        new PriorityQueue<>(
            Comparator.comparingDouble((Open each) -> each.level.amount())
                .reversed()
                .thenComparingInt(Open::index));
    private int selected;

    Selection(int maxNodes) {
      this.maxNodes = maxNodes;
    }

    FlameGraph of(FlameLevel root) {
      add(-1, root);
      while (!open.isEmpty() && selected < maxNodes) {
        Open next = open.remove();
        Node node = nodes.get(next.index);
        nodes.set(
            next.index,
            new Node(
                node.parent,
                node.frame,
                node.amount,
                node.selfAmount,
                node.count,
                /* isCut= */ false));
        addChildren(next);
      }
      return new FlameGraph(nodes);
    }

    private void addChildren(Open parent) {
      double others = 0;
      int otherCount = 0;
      for (FlameLevel child : parent.level.children()) {
        if (selected < maxNodes) {
          add(parent.index, child);
        } else {
          others += child.amount();
          otherCount += child.count();
        }
      }
      if (otherCount > 0) {
        nodes.add(new Node(parent.index, OTHERS, others, 0, otherCount, /* isCut= */ true));
      }
    }

    private void add(int parent, FlameLevel level) {
      boolean isLeaf = level.amount() == level.selfAmount();
      nodes.add(
          new Node(
              parent, level.frame(), level.amount(), level.selfAmount(), level.count(), !isLeaf));
      selected++;
      if (!isLeaf) {
        open.add(new Open(nodes.size() - 1, level));
      }
    }
  }
}
