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
 *   per frame  kind, plumbing, category                          per node (stack)  site node
 * </pre>
 */
public final class StackClasses {
  private final StackTable stacks;
  private final FrameKind[] kinds;
  private final boolean[] plumbing;
  private final Category[] categories;
  private final int[] sites;

  StackClasses(FrameRules rules, StackTable stacks) {
    this.stacks = stacks;
    List<Frame> frames = stacks.frames();
    kinds = new FrameKind[frames.size()];
    plumbing = new boolean[frames.size()];
    categories = new Category[frames.size()];
    for (int frame = 0; frame < kinds.length; frame++) {
      kinds[frame] = rules.kind(frames.get(frame));
      plumbing[frame] = rules.isPlumbing(frames.get(frame));
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
    return outer != StackTable.NONE && rank(outer) > rank(node) ? outer : node;
  }

  /** How well a frame names a site: the user's code, a package's, the runtime's, plumbing. */
  private int rank(int node) {
    int frame = stacks.frameNumber(node);
    return switch (kinds[frame]) {
      case USER -> 3;
      case PACKAGE -> 2;
      case RUNTIME -> plumbing[frame] ? 0 : 1;
    };
  }

  /** Whose code the innermost frame of a stack (other than none) is. */
  public FrameKind kind(int node) {
    return kinds[stacks.frameNumber(node)];
  }

  /**
   * The node of the innermost frame of the user's own code; without one, of the innermost package
   * frame; without one, of the innermost frame that is not plumbing. {@link StackTable#NONE} for no
   * stack.
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
