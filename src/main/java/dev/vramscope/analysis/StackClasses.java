package dev.vramscope.analysis;

import dev.vramscope.analysis.FrameRules.Category;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.List;

/**
 * The frames of a snapshot, classed by {@link FrameRules} once each, and what follows for its
 * stacks.
 *
 * <pre>
 *   per frame  kind, rank as a site's name, category             per node (stack)  site node
 * </pre>
 */
public final class StackClasses {
  private static final byte NOISE = 0;
  private static final byte PLUMBING = 1;
  private static final byte RUNTIME = 2;
  private static final byte PACKAGE_COMPILED = 3;
  private static final byte PACKAGE = 4;
  private static final byte USER = 5;

  private final StackTable stacks;
  private final FrameKind[] kinds;
  private final byte[] ranks;
  private final Category[] categories;
  private final int[] sites;

  StackClasses(FrameRules rules, StackTable stacks) {
    this.stacks = stacks;
    List<Frame> frames = stacks.frames();
    kinds = new FrameKind[frames.size()];
    ranks = new byte[frames.size()];
    categories = new Category[frames.size()];
    for (int frame = 0; frame < kinds.length; frame++) {
      kinds[frame] = rules.kind(frames.get(frame));
      ranks[frame] = rank(rules, frames.get(frame), kinds[frame]);
      categories[frame] = rules.category(frames.get(frame));
    }
    sites = new int[stacks.nodeCount()];
    // A parent has a smaller id: each node asks at most its parent's answer.
    for (int node = 1; node < sites.length; node++) {
      sites[node] = innermost(node);
    }
  }

  /** The better of the node itself and what its callers offer; of equals the inner one. */
  private int innermost(int node) {
    int outer = sites[stacks.parent(node)];
    if (outer == StackTable.NONE) {
      return node;
    }
    int outerRank = ranks[stacks.frameNumber(outer)];
    int rank = ranks[stacks.frameNumber(node)];
    // Of frames that only hand a request on, the outer is nearer to whoever made it.
    return outerRank > rank || (rank <= PLUMBING && outerRank == rank) ? outer : node;
  }

  /** How well a frame names a site. A package's Python says more than the C++ that it calls. */
  private static byte rank(FrameRules rules, Frame frame, FrameKind kind) {
    if (kind != FrameKind.USER && rules.isNoise(frame)) {
      return NOISE;
    }
    if (kind != FrameKind.USER && rules.isPlumbing(frame)) {
      return PLUMBING;
    }
    return switch (kind) {
      case USER -> USER;
      case PACKAGE -> frame.name().contains("::") ? PACKAGE_COMPILED : PACKAGE;
      case RUNTIME -> RUNTIME;
    };
  }

  /** Whose code the innermost frame of a stack (other than none) is. */
  public FrameKind kind(int node) {
    return kinds[stacks.frameNumber(node)];
  }

  /**
   * The node of the innermost frame of the user's own code; without one, of a package's Python;
   * without one, of its C++; without one, of the runtime. {@link StackTable#NONE} for no stack.
   */
  public int siteOf(int stack) {
    return sites[stack];
  }

  /** The stacks that this is about. */
  public StackTable stacks() {
    return stacks;
  }

  /** What memory allocated under a stack is probably for: the innermost frame with an opinion. */
  public Category category(int stack) {
    for (int node = stack; node != StackTable.NONE; node = stacks.parent(node)) {
      Category found = categories[stacks.frameNumber(node)];
      if (found != Category.UNKNOWN) {
        return found;
      }
    }
    return Category.UNKNOWN;
  }
}
