package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds temporary results of code outside of models, such as distances in an evaluation: they are
 * freed before a model is called again and before a backward pass begins. What is still active when
 * the recording ends is temporary if most of what its line has allocated before was.
 */
final class ShortResults {
  private final Lifetimes lifetimes;
  private final StackClasses stacks;
  private final Uses uses;
  private final ModelRuns runs;

  ShortResults(Lifetimes lifetimes, StackClasses stacks, Uses uses, ModelRuns runs) {
    this.lifetimes = lifetimes;
    this.stacks = stacks;
    this.uses = uses;
    this.runs = runs;
  }

  void find() {
    Map<Integer, Integer> surplus = new HashMap<>();
    int next = Lifetimes.NEVER;
    for (int row = lifetimes.size() - 1; row >= lifetimes.liveBeforeCount(); row--) {
      int stack = lifetimes.stack(row);
      if (runs.isRun(row) || stacks.mayBeBackward(stack)) {
        next = lifetimes.allocationEvent(row);
      } else if (isCandidate(row) && lifetimes.endEvent(row) != Lifetimes.NEVER) {
        boolean isShort = lifetimes.endEvent(row) < next;
        surplus.merge(stack, isShort ? 1 : -1, Integer::sum);
        if (isShort) {
          uses.set(row, Use.TEMPORARY);
        }
      }
    }
    for (int row = lifetimes.liveBeforeCount(); row < lifetimes.size(); row++) {
      if (isCandidate(row)
          && lifetimes.endEvent(row) == Lifetimes.NEVER
          && surplus.getOrDefault(lifetimes.stack(row), 0) > 0) {
        uses.set(row, Use.TEMPORARY);
      }
    }
  }

  private boolean isCandidate(int row) {
    return uses.use(row) == Use.OTHER && !uses.isDeclared(row) && runs.begunAt(row) > 0;
  }
}
