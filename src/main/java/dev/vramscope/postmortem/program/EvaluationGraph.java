package dev.vramscope.postmortem.program;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.ModelCalls;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.uses.StackBytes;
import dev.vramscope.analysis.uses.TrainedCalls;
import dev.vramscope.model.StackTable;

/**
 * What a program keeps for backward passes that never come: results of a model that it calls where
 * no backward pass follows, as in an evaluation without {@code torch.no_grad}. That other calls are
 * followed by one shows that the program trains.
 */
final class EvaluationGraph {
  private EvaluationGraph() {}

  /** The results that are live at an event; none if all calls, or none, have a backward pass. */
  static StackBytes at(int event, Lifetimes lifetimes, StackClasses stacks, ModelCalls calls) {
    TrainedCalls trained = TrainedCalls.before(event, lifetimes, stacks, calls);
    StackBytes.Sum live = new StackBytes.Sum();
    for (int row = lifetimes.liveBeforeCount(); row < lifetimes.firstAllocatedFrom(event); row++) {
      int stack = lifetimes.stack(row);
      if (calls.caller(stack) != StackTable.NONE
          && !stacks.isBackward(stack)
          && !trained.contains(stack)
          && lifetimes.isActiveAt(row, event)) {
        live.add(stack, lifetimes.bytes(row));
      }
    }
    StackBytes kept = live.total();
    return !trained.isEmpty() && kept.isGraph() ? kept : StackBytes.NONE;
  }
}
