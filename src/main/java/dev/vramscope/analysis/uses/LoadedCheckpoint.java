package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules.Category;
import dev.vramscope.analysis.stacks.StackClasses;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells what a program has read from a checkpoint by sizes: as many values of a size as the model
 * has are a copy of its parameters, and the others of that size are the state of an optimizer.
 * Without a model beside it, what was read is the model.
 */
final class LoadedCheckpoint {
  private static final int ANY_TIME = Lifetimes.NEVER;

  private final Lifetimes lifetimes;
  private final StackClasses stacks;
  private final Uses uses;

  LoadedCheckpoint(Lifetimes lifetimes, StackClasses stacks, Uses uses) {
    this.lifetimes = lifetimes;
    this.stacks = stacks;
    this.uses = uses;
  }

  void find() {
    int firstLoaded = 0;
    while (firstLoaded < lifetimes.size() && !isLoaded(firstLoaded)) {
      firstLoaded++;
    }
    if (firstLoaded == lifetimes.size()) {
      return;
    }
    Map<Long, Integer> ofModel = modelAt(lifetimes.allocationEvent(firstLoaded));
    if (ofModel.isEmpty()) {
      ofModel = modelAt(ANY_TIME);
    }
    Map<Long, Integer> copies = new HashMap<>();
    for (int row = firstLoaded; row < lifetimes.size() && !ofModel.isEmpty(); row++) {
      if (isLoaded(row)) {
        long bytes = lifetimes.bytes(row);
        if (copies.merge(bytes, 1, Integer::sum) > ofModel.getOrDefault(bytes, 0)) {
          uses.set(row, Use.OPTIMIZER_STATE);
        }
      }
    }
  }

  /** How many parameters of a size a model has that was not read from a file. */
  private Map<Long, Integer> modelAt(int event) {
    Map<Long, Integer> sizes = new HashMap<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      if (uses.use(row) == Use.PARAMETERS
          && !isLoaded(row)
          && (event == ANY_TIME || lifetimes.isActiveAt(row, event))) {
        sizes.merge(lifetimes.bytes(row), 1, Integer::sum);
      }
    }
    return sizes;
  }

  private boolean isLoaded(int row) {
    return uses.use(row) == Use.PARAMETERS
        && stacks.category(lifetimes.stack(row)) == Category.CHECKPOINT;
  }
}
