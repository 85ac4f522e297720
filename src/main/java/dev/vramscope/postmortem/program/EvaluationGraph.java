package dev.vramscope.postmortem.program;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.ModelCalls;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.BitSet;

/**
 * What a program keeps for backward passes that never come: results of a model that it calls where
 * no backward pass follows, as in an evaluation without {@code torch.no_grad}. That other calls are
 * followed by one shows that the program trains.
 */
final class EvaluationGraph {
  /** A backward pass has used the results of a call if it has freed this share of them. */
  private static final double USED = 0.1;

  private EvaluationGraph() {}

  /** The results that are live at an event; none if all calls, or none, have a backward pass. */
  static StackBytes at(
      int event, Trace trace, Lifetimes lifetimes, StackClasses stacks, ModelCalls calls) {
    BitSet backward = backwardEvents(trace, stacks, event);
    int nodeCount = stacks.stacks().nodeCount();
    long[] freed = new long[nodeCount];
    long[] freedInBackward = new long[nodeCount];
    StackBytes.Sum live = new StackBytes.Sum();
    for (int row = lifetimes.liveBeforeCount(); row < lifetimes.size(); row++) {
      int caller = calls.caller(lifetimes.stack(row));
      if (lifetimes.allocationEvent(row) >= event) {
        break;
      }
      if (caller == StackTable.NONE || stacks.isBackward(lifetimes.stack(row))) {
        continue;
      }
      if (lifetimes.isActiveAt(row, event)) {
        live.add(lifetimes.stack(row), lifetimes.bytes(row));
        continue;
      }
      freed[caller] += lifetimes.bytes(row);
      if (backward.get(lifetimes.freeRequestedEvent(row))) {
        freedInBackward[caller] += lifetimes.bytes(row);
      }
    }
    BitSet trained = withBackward(trace, stacks, calls, event);
    for (int caller = 0; caller < nodeCount; caller++) {
      if (freed[caller] > 0 && freedInBackward[caller] >= USED * freed[caller]) {
        trained.set(caller);
      }
    }
    StackBytes kept = live.total().where(stack -> !trained.get(calls.caller(stack)));
    return !trained.isEmpty() && kept.isGraph() ? kept : StackBytes.NONE;
  }

  /** The callers after whose models a backward pass begins, before another call of a model. */
  private static BitSet withBackward(Trace trace, StackClasses stacks, ModelCalls calls, int end) {
    BitSet callers = new BitSet();
    int latest = StackTable.NONE;
    for (int event = 0; event < end; event++) {
      if (trace.action(event) == TraceAction.ALLOC) {
        int stack = trace.stack(event);
        if (stacks.mayBeBackward(stack)) {
          callers.set(latest);
        } else if (calls.caller(stack) != StackTable.NONE) {
          latest = calls.caller(stack);
        }
      }
    }
    callers.clear(StackTable.NONE);
    return callers;
  }

  /** The events of backward passes: from an allocation of one to the next other allocation. */
  private static BitSet backwardEvents(Trace trace, StackClasses stacks, int end) {
    BitSet events = new BitSet();
    boolean isBackward = false;
    for (int event = 0; event < end; event++) {
      if (trace.action(event) == TraceAction.ALLOC) {
        isBackward = stacks.mayBeBackward(trace.stack(event));
      }
      events.set(event, isBackward);
    }
    return events;
  }
}
