package dev.vramscope.recorder;

import dev.vramscope.model.StackTable;
import java.util.Arrays;

/** The contexts that one snapshot names, moved into its {@link StackTable}. Not thread-safe. */
final class Stacks {
  private final FrameTable frames;
  private final ContextTree tree;
  private final StackTable.Builder builder = new StackTable.Builder();

  /** The stack of a context; 0 when it was not moved yet. */
  private int[] stackOf = new int[1024];

  /** Contexts on the way to one that was moved, innermost first. */
  private int[] path = new int[64];

  Stacks(FrameTable frames, ContextTree tree) {
    this.frames = frames;
    this.tree = tree;
  }

  /** The stack of a context. */
  int of(int context) {
    if (context >= stackOf.length) {
      stackOf = Arrays.copyOf(stackOf, Math.max(context + 1, 2 * stackOf.length));
    }
    int depth = 0;
    int known = context;
    while (known != ContextTree.NONE && stackOf[known] == StackTable.NONE) {
      if (depth == path.length) {
        path = Arrays.copyOf(path, 2 * depth);
      }
      path[depth++] = known;
      known = tree.parent(known);
    }
    int stack = stackOf[known];
    while (depth > 0) {
      int node = path[--depth];
      stack = builder.child(stack, builder.frame(frames.frame(tree.frame(node))));
      stackOf[node] = stack;
    }
    return stack;
  }

  StackTable table() {
    return builder.build();
  }
}
