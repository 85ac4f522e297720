package dev.vramscope.analysis.stacks;

import dev.vramscope.analysis.stacks.FrameRules.Trait;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.List;

/**
 * The lines from which a program calls its models.
 *
 * <pre>
 *   main:31 ── validate:22 ── _call_impl ── forward:80 ── c10::...       a stack
 *              └ its caller
 * </pre>
 */
public final class ModelCalls {
  private final int[] callers;

  private ModelCalls(int[] callers) {
    this.callers = callers;
  }

  /** The calls of models in the stacks of a snapshot, by the built-in rules. */
  public static ModelCalls of(StackTable stacks) {
    List<Frame> frames = stacks.frames();
    boolean[] isModel = new boolean[frames.size()];
    for (int frame = 0; frame < isModel.length; frame++) {
      isModel[frame] = FrameRules.standard().has(Trait.MODEL, frames.get(frame));
    }
    int[] callers = new int[stacks.nodeCount()];
    // A parent has a smaller id, so its caller is already known.
    for (int node = 1; node < callers.length; node++) {
      int parent = stacks.parent(node);
      callers[node] = callers[parent];
      if (callers[node] == StackTable.NONE && isModel[stacks.frameNumber(node)]) {
        callers[node] = parent;
      }
    }
    return new ModelCalls(callers);
  }

  /**
   * The stack, without the frames of the model, of a call in which memory was allocated.
   *
   * @return {@link StackTable#NONE} for a stack outside of models
   */
  public int caller(int stack) {
    return callers[stack];
  }
}
