package dev.vramscope.analysis.stacks;

import dev.vramscope.model.StackTable;

/**
 * The stacks of a snapshot as a tree of the frames that a reader wants to see. A hidden frame
 * belongs to the nearest shown frame that called it, and equal frames below one caller are one
 * node:
 *
 * <pre>
 *   stacks   main ── run (hidden) ── step ── malloc (hidden)      tree   main ── step
 *               └─ step
 * </pre>
 */
public final class CallTree {
  private final StackTable tree;
  private final int[] nodeOf;

  private CallTree(StackTable tree, int[] nodeOf) {
    this.tree = tree;
    this.nodeOf = nodeOf;
  }

  /** Builds the tree of all stacks; frames keep their numbers. */
  public static CallTree of(StackClasses classes, ShownFrames shownFrames) {
    StackTable stacks = classes.stacks();
    StackTable.Builder tree = new StackTable.Builder();
    stacks.frames().forEach(tree::newFrame);
    int[] nodeOf = new int[stacks.nodeCount()];
    // A parent has a smaller id, so its node is already known.
    for (int stack = 1; stack < nodeOf.length; stack++) {
      int caller = nodeOf[stacks.parent(stack)];
      nodeOf[stack] =
          shownFrames.contains(classes, stack)
              ? tree.child(caller, stacks.frameNumber(stack))
              : caller;
    }
    return new CallTree(tree.build(), nodeOf);
  }

  /** The tree itself: a node is the path from the root, {@link StackTable#NONE}, to a frame. */
  public StackTable tree() {
    return tree;
  }

  /** The node of a stack; the root if none of its frames is shown, or none was recorded. */
  public int nodeOf(int stack) {
    return nodeOf[stack];
  }

  /** Heap bytes of the tree, without the frames that it shares with the snapshot. */
  public long heapBytes() {
    return 4L * nodeOf.length + 8L * tree.nodeCount();
  }
}
