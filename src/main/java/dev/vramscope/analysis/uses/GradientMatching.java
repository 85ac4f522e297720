package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.StackTable;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Finds the gradients among the allocations of the backward pass, most of which have no stack: the
 * thread of the backward pass runs no Python.
 *
 * <p>An allocation is a gradient if a parameter of exactly the same size is active that has no
 * gradient yet, and if it is still active when code outside the backward pass allocates next (or at
 * the end of the recording): results within the backward pass are freed before. A gradient ends
 * with its allocation, and the parameter is free for the next one.
 */
final class GradientMatching {
  private final Lifetimes lifetimes;
  private final Uses uses;
  private final Map<Long, Integer> withoutGradient = new HashMap<>();
  private final PriorityQueue<Integer> active;

  GradientMatching(Lifetimes lifetimes, Uses uses) {
    this.lifetimes = lifetimes;
    this.uses = uses;
    active = new PriorityQueue<>(Comparator.comparingInt(lifetimes::endEvent));
  }

  void match() {
    int[] nextOutside = nextAllocationsOutsideBackward();
    for (int row = 0; row < lifetimes.size(); row++) {
      int event = lifetimes.allocationEvent(row);
      endUntil(event);
      if (uses.use(row) == Use.PARAMETERS) {
        add(row, 1);
      } else if (isCandidate(row)
          && lifetimes.endEvent(row) > nextOutside[row]
          && withoutGradient.getOrDefault(lifetimes.bytes(row), 0) > 0) {
        uses.set(row, Use.GRADIENTS);
      }
      if (uses.use(row) == Use.GRADIENTS) {
        add(row, -1);
      }
    }
  }

  private boolean isCandidate(int row) {
    if (row < lifetimes.liveBeforeCount()) {
      return false; // What was allocated before the recording may as well be a parameter.
    }
    int stack = lifetimes.stack(row);
    return stack == StackTable.NONE
        ? uses.use(row) == Use.NO_STACK
        : uses.use(row) == Use.TEMPORARY && uses.isBackward(stack);
  }

  /**
   * For each row the next allocation event outside the backward pass; the end of the recording if
   * there is none.
   */
  private int[] nextAllocationsOutsideBackward() {
    int[] next = new int[lifetimes.size()];
    int nextEvent = Lifetimes.NEVER - 1;
    for (int row = next.length - 1; row >= 0; row--) {
      next[row] = nextEvent;
      int stack = lifetimes.stack(row);
      if (stack != StackTable.NONE && !uses.isBackward(stack)) {
        nextEvent = lifetimes.allocationEvent(row);
      }
    }
    return next;
  }

  private void add(int row, int change) {
    withoutGradient.merge(lifetimes.bytes(row), change, Integer::sum);
    active.add(row);
  }

  private void endUntil(int event) {
    while (!active.isEmpty() && lifetimes.endEvent(active.peek()) <= event) {
      int ended = active.remove();
      int change = uses.use(ended) == Use.PARAMETERS ? -1 : 1;
      withoutGradient.merge(lifetimes.bytes(ended), change, Integer::sum);
    }
  }
}
