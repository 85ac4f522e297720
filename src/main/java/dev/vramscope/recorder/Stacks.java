package dev.vramscope.recorder;

import dev.vramscope.model.StackTable;
import java.util.Arrays;

/** Copies the contexts that a snapshot uses into its {@link StackTable}. Not thread-safe. */
final class Stacks {
  private final FrameTable frames;
  private final ContextTree tree;
  private final StackTable.Builder builder = new StackTable.Builder();

  /** The stack of each context; 0 if it was not copied yet. */
  private int[] stackOf = new int[1024];

  /** The contexts up to the nearest one that was copied, innermost first. */
  private int[] path = new int[64];

  Stacks(FrameTable frames, ContextTree tree) {
    this.frames = frames;
    this.tree = tree;
  }

  /** The stack of a context, copied if necessary. */
  int of(int context) {
    if (context >= stackOf.length) {
      stackOf = Arrays.copyOf(stackOf, Math.max(context + 1, 2 * stackOf.length));
    }
    int depth = 0;
    int copied = context;
    while (copied != ContextTree.NONE && stackOf[copied] == StackTable.NONE) {
      if (depth == path.length) {
        path = Arrays.copyOf(path, 2 * depth);
      }
      path[depth++] = copied;
      copied = tree.parent(copied);
    }
    int stack = stackOf[copied];
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
