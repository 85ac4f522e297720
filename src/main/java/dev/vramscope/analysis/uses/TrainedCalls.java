package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.ModelCalls;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import java.util.BitSet;

/**
 * The lines of a program whose calls of a model have a backward pass: one begins before the next
 * call, or frees what the call has made. Other calls are those of an evaluation or a generation.
 */
public final class TrainedCalls {
  /** A backward pass has used the results of a call if it has freed this share of them. */
  private static final double USED = 0.1;

  private final ModelCalls calls;
  private final BitSet callers;

  private TrainedCalls(ModelCalls calls, BitSet callers) {
    this.calls = calls;
    this.callers = callers;
  }

  /** The calls with a backward pass before an event. */
  public static TrainedCalls before(
      int event, Lifetimes lifetimes, StackClasses stacks, ModelCalls calls) {
    int end = lifetimes.firstAllocatedFrom(event);
    BitSet callers = withBackward(lifetimes, stacks, calls, end);
    int nodeCount = stacks.stacks().nodeCount();
    long[] freed = new long[nodeCount];
    long[] freedInBackward = new long[nodeCount];
    for (int row = lifetimes.liveBeforeCount(); row < end; row++) {
      int caller = calls.caller(lifetimes.stack(row));
      int free = lifetimes.freeRequestedEvent(row);
      if (caller != StackTable.NONE
          && !stacks.isBackward(lifetimes.stack(row))
          && !lifetimes.isActiveAt(row, event)) {
        freed[caller] += lifetimes.bytes(row);
        int latest = lifetimes.firstAllocatedFrom(free) - 1;
        if (stacks.mayBeBackward(lifetimes.stack(latest))) {
          freedInBackward[caller] += lifetimes.bytes(row);
        }
      }
    }
    for (int caller = 0; caller < nodeCount; caller++) {
      if (freed[caller] > 0 && freedInBackward[caller] >= USED * freed[caller]) {
        callers.set(caller);
      }
    }
    return new TrainedCalls(calls, callers);
  }

  private static BitSet withBackward(
      Lifetimes lifetimes, StackClasses stacks, ModelCalls calls, int end) {
    BitSet callers = new BitSet();
    int latest = StackTable.NONE;
    for (int row = lifetimes.liveBeforeCount(); row < end; row++) {
      int stack = lifetimes.stack(row);
      if (stacks.mayBeBackward(stack)) {
        callers.set(latest);
      } else if (calls.caller(stack) != StackTable.NONE) {
        latest = calls.caller(stack);
      }
    }
    callers.clear(StackTable.NONE);
    return callers;
  }

  /** Whether memory with this stack was allocated in a call with a backward pass. */
  public boolean contains(int stack) {
    return callers.get(calls.caller(stack));
  }

  /** Whether no call has a backward pass. */
  public boolean isEmpty() {
    return callers.isEmpty();
  }
}
