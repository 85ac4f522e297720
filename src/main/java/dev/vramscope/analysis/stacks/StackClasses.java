package dev.vramscope.analysis.stacks;

import dev.vramscope.analysis.stacks.FrameRules.Category;
import dev.vramscope.analysis.stacks.FrameRules.Trait;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;

/**
 * The frames of a snapshot, each classified once by {@link FrameRules}, and from them the sites and
 * categories of its stacks.
 *
 * <pre>
 *   per frame  kind, rank as a site             per node (stack)  site node, category, traits
 * </pre>
 */
public final class StackClasses {
  private static final byte NOISE = 0;
  private static final byte DISPATCH = 1;
  private static final byte RUNTIME = 2;
  private static final byte PACKAGE_COMPILED = 3;
  private static final byte PACKAGE = 4;
  private static final byte USER = 5;

  private final StackTable stacks;
  private final FrameKind[] kinds;
  private final byte[] ranks;
  private final int[] sites;
  private final Category[] categories;
  private final BitSet backward;
  private final BitSet optimizerState;

  StackClasses(FrameRules rules, StackTable stacks) {
    this.stacks = stacks;
    List<Frame> frames = stacks.frames();
    kinds = new FrameKind[frames.size()];
    ranks = new byte[frames.size()];
    Category[] ofFrames = new Category[frames.size()];
    for (int frame = 0; frame < kinds.length; frame++) {
      kinds[frame] = rules.kind(frames.get(frame));
      ranks[frame] = rank(rules, frames.get(frame), kinds[frame]);
      ofFrames[frame] = rules.category(frames.get(frame));
    }
    sites = new int[stacks.nodeCount()];
    categories = new Category[stacks.nodeCount()];
    categories[StackTable.NONE] = Category.UNKNOWN;
    // A parent has a smaller id, so what it is is already known.
    for (int node = 1; node < sites.length; node++) {
      sites[node] = innermost(node);
      Category own = ofFrames[stacks.frameNumber(node)];
      categories[node] = own == Category.UNKNOWN ? categories[stacks.parent(node)] : own;
    }
    backward = stacksWith(Trait.BACKWARD, rules);
    optimizerState = stacksWith(Trait.STATE, rules);
  }

  /** The nodes of the frames with a trait and of all that they call. */
  private BitSet stacksWith(Trait trait, FrameRules rules) {
    BitSet frames = new BitSet();
    for (int frame = 0; frame < kinds.length; frame++) {
      frames.set(frame, rules.has(trait, stacks.frames().get(frame)));
    }
    BitSet nodes = new BitSet();
    for (int node = 1; node < stacks.nodeCount(); node++) {
      nodes.set(node, nodes.get(stacks.parent(node)) || frames.get(stacks.frameNumber(node)));
    }
    return nodes;
  }

  /**
   * The node or its parent's site, whichever ranks higher; the node itself if they rank equally.
   */
  private int innermost(int node) {
    int outer = sites[stacks.parent(node)];
    if (outer == StackTable.NONE) {
      return node;
    }
    int outerRank = ranks[stacks.frameNumber(outer)];
    int rank = ranks[stacks.frameNumber(node)];
    // Of frames that only forward a request, the outer one is closer to the code that made it.
    return outerRank > rank || (rank <= DISPATCH && outerRank == rank) ? outer : node;
  }

  /**
   * How well a frame identifies a site. The Python code of a package is more specific than the C++
   * code that it calls.
   */
  private static byte rank(FrameRules rules, Frame frame, FrameKind kind) {
    if (kind != FrameKind.USER && rules.has(Trait.NOISE, frame)) {
      return NOISE;
    }
    if (kind != FrameKind.USER && rules.has(Trait.DISPATCH, frame)) {
      return DISPATCH;
    }
    return switch (kind) {
      case USER -> USER;
      case PACKAGE -> frame.name().contains("::") ? PACKAGE_COMPILED : PACKAGE;
      case RUNTIME -> RUNTIME;
    };
  }

  /**
   * Whether the innermost frame of a stack other than {@link StackTable#NONE} is code of the user
   * or Python code of a package, and does not only forward a request.
   */
  public boolean isSpecific(int node) {
    byte rank = ranks[stacks.frameNumber(node)];
    return rank == USER || rank == PACKAGE;
  }

  /** The kind of code of a frame of the table. */
  public FrameKind kindOfFrame(int frame) {
    return kinds[frame];
  }

  /** The kind of code of the innermost frame of a stack other than {@link StackTable#NONE}. */
  public FrameKind kind(int node) {
    return kinds[stacks.frameNumber(node)];
  }

  /**
   * The node of the innermost frame of the user's code or, without one, of the Python code of a
   * package, its C++ code, or the runtime, in this order. {@link StackTable#NONE} for no stack.
   */
  public int siteOf(int stack) {
    return sites[stack];
  }

  /**
   * The node of the innermost line of a library's code, other than PyTorch's own, between the
   * allocation and the line of the program: what explains the bytes.
   */
  public OptionalInt libraryLine(int stack) {
    int site = siteOf(stack);
    for (int node = stack; node != site && node != StackTable.NONE; node = stacks.parent(node)) {
      String file = stacks.frame(node).file();
      if (kind(node) == FrameKind.PACKAGE
          && file.endsWith(".py")
          && (!file.contains("/torch/") || file.contains("/torch/optim/"))) {
        return OptionalInt.of(node);
      }
    }
    return OptionalInt.empty();
  }

  /** The classified stacks. */
  public StackTable stacks() {
    return stacks;
  }

  /**
   * The probable use of memory allocated under a stack: the category of the innermost frame with
   * one.
   */
  public Category category(int stack) {
    return categories[stack];
  }

  /** Whether a stack runs inside a backward pass; unknown, so false, for no stack. */
  public boolean isBackward(int stack) {
    return backward.get(stack);
  }

  /** The same, or no stack: the thread of the backward pass has none. */
  public boolean mayBeBackward(int stack) {
    return stack == StackTable.NONE || isBackward(stack);
  }

  /** Whether a stack creates the state of an optimizer. */
  public boolean isOptimizerState(int stack) {
    return optimizerState.get(stack);
  }
}
