package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.StackTable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the places of results within the backward pass that have no stack. The gradient of a result
 * of the forward pass has its size, and the backward pass takes the results in reverse order: the
 * partner is the latest one of this size that is still active.
 */
final class ForwardPartners {
  private final Lifetimes lifetimes;
  private final Uses uses;
  private final Map<Long, Deque<Integer>> active = new HashMap<>();

  ForwardPartners(Lifetimes lifetimes, Uses uses) {
    this.lifetimes = lifetimes;
    this.uses = uses;
  }

  void find() {
    for (int row = lifetimes.liveBeforeCount(); row < lifetimes.size(); row++) {
      if (uses.use(row) == Use.ACTIVATIONS) {
        active.computeIfAbsent(lifetimes.bytes(row), _ -> new ArrayDeque<>()).push(row);
      } else if (uses.use(row) == Use.NO_STACK) {
        int partner = partner(row);
        if (partner >= 0) {
          uses.setWithinBackward(row, lifetimes.stack(partner));
        }
      }
    }
  }

  private int partner(int row) {
    Deque<Integer> candidates = active.get(lifetimes.bytes(row));
    int event = lifetimes.allocationEvent(row);
    while (candidates != null && !candidates.isEmpty()) {
      int latest = candidates.element();
      if (lifetimes.isActiveAt(latest, event) && lifetimes.stack(latest) != StackTable.NONE) {
        return latest;
      }
      candidates.remove();
    }
    return -1;
  }
}
