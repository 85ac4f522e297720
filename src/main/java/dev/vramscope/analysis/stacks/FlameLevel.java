package dev.vramscope.analysis.stacks;

import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node of a call tree with its amount, which finds its children when they are asked for. */
sealed interface FlameLevel {
  /** The number of the frame, or {@link FlameGraph#ROOT}. */
  int frame();

  /** The amount of this node and everything below it. */
  double amount();

  /** The amount of the stacks that end here. */
  double selfAmount();

  /** Allocations of this node and everything below it. */
  int count();

  /** The nodes below this one that have an amount, largest first. */
  List<FlameLevel> children();

  /** The child with a frame; an empty one if there is none. */
  default FlameLevel child(int frame) {
    return children().stream()
        .filter(child -> child.frame() == frame)
        .findFirst()
        .orElse(new Callers(CallTreeSums.EMPTY, frame, new int[0], new int[0]));
  }

  /** Largest first; of equal ones, that with the lower frame. */
  Comparator<FlameLevel> BY_AMOUNT =
      Comparator.comparingDouble(FlameLevel::amount).reversed().thenComparingInt(FlameLevel::frame);

  /** The root of a tree whose frames are below their callers. */
  static FlameLevel callees(CallTree tree, StackWeights weights) {
    return new Callees(CallTreeSums.of(tree, weights), StackTable.NONE);
  }

  /** The root of a tree whose frames are below the frames that they call. */
  static FlameLevel callers(CallTree tree, StackWeights weights) {
    CallTreeSums sums = CallTreeSums.of(tree, weights);
    int[] ends = sums.ends();
    return new Callers(sums, FlameGraph.ROOT, ends, ends);
  }

  /** A node of the tree with its subtree. */
  record Callees(CallTreeSums sums, int node) implements FlameLevel {
    @Override
    public int frame() {
      return node == StackTable.NONE ? FlameGraph.ROOT : sums.tree().frameNumber(node);
    }

    @Override
    public double amount() {
      return sums.amount(node);
    }

    @Override
    public double selfAmount() {
      return sums.selfAmount(node);
    }

    @Override
    public int count() {
      return sums.count(node);
    }

    @Override
    public List<FlameLevel> children() {
      List<FlameLevel> children = new ArrayList<>();
      for (int child = sums.firstChild(node); child != 0; child = sums.nextSibling(child)) {
        if (sums.count(child) > 0) {
          children.add(new Callees(sums, child));
        }
      }
      children.sort(BY_AMOUNT);
      return children;
    }
  }

  /** The stacks that have the same inner frames. */
  final class Callers implements FlameLevel {
    private final CallTreeSums sums;
    private final int frame;
    // The nodes at which the stacks end and, for each of them, the node whose frame is one level
    // further out than this one; the root if there is none.
    private final int[] ends;
    private final int[] callers;

    Callers(CallTreeSums sums, int frame, int[] ends, int[] callers) {
      this.sums = sums;
      this.frame = frame;
      this.ends = ends;
      this.callers = callers;
    }

    @Override
    public int frame() {
      return frame;
    }

    @Override
    public double amount() {
      return Arrays.stream(ends).mapToDouble(sums::selfAmount).sum();
    }

    @Override
    public double selfAmount() {
      double amount = 0;
      for (int i = 0; i < ends.length; i++) {
        amount += callers[i] == StackTable.NONE ? sums.selfAmount(ends[i]) : 0;
      }
      return amount;
    }

    @Override
    public int count() {
      return Arrays.stream(ends).map(sums::selfCount).sum();
    }

    @Override
    public List<FlameLevel> children() {
      Map<Integer, Group> groups = new LinkedHashMap<>();
      for (int i = 0; i < ends.length; i++) {
        int caller = callers[i];
        if (caller != StackTable.NONE) {
          groups
              .computeIfAbsent(sums.tree().frameNumber(caller), _ -> new Group())
              .add(ends[i], sums.tree().parent(caller));
        }
      }
      List<FlameLevel> children = new ArrayList<>();
      groups.forEach((child, group) -> children.add(group.level(sums, child)));
      children.sort(BY_AMOUNT);
      return children;
    }
  }

  /** Pairs of nodes. */
  final class Group {
    private int[] ends = new int[4];
    private int[] callers = new int[4];
    private int size;

    private void add(int end, int caller) {
      if (size == ends.length) {
        ends = Arrays.copyOf(ends, 2 * size);
        callers = Arrays.copyOf(callers, 2 * size);
      }
      ends[size] = end;
      callers[size++] = caller;
    }

    private FlameLevel level(CallTreeSums sums, int frame) {
      return new Callers(sums, frame, Arrays.copyOf(ends, size), Arrays.copyOf(callers, size));
    }
  }
}
