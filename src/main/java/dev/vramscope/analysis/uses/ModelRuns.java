package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.ModelCalls;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The calls of models in the order of a recording. A run is what one line allocates in models until
 * something else allocates; calls with nothing between them are one run.
 *
 * <pre>
 *   rows      batch │ forward forward forward │ loss │ forward forward │ …
 *   runs              0                                1
 * </pre>
 */
final class ModelRuns {
  private static final int NONE = -1;

  private final Lifetimes lifetimes;
  private int[] callers = new int[64];
  private int[] firstRows = new int[64];
  private int[] endRows = new int[64];
  private long[] bytes = new long[64];
  private int count;

  /** By row: the number of runs that began before it or with it. */
  private final int[] begun;

  private ModelRuns(Lifetimes lifetimes) {
    this.lifetimes = lifetimes;
    begun = new int[lifetimes.size()];
  }

  static ModelRuns of(Lifetimes lifetimes, StackClasses stacks, ModelCalls calls) {
    ModelRuns runs = new ModelRuns(lifetimes);
    int current = StackTable.NONE;
    for (int row = lifetimes.liveBeforeCount(); row < lifetimes.size(); row++) {
      int stack = lifetimes.stack(row);
      int caller = stacks.mayBeBackward(stack) ? StackTable.NONE : calls.caller(stack);
      if (caller != current) {
        runs.change(row, current, caller);
        current = caller;
      }
      runs.begun[row] = runs.count;
      if (caller != StackTable.NONE) {
        runs.bytes[runs.count - 1] += lifetimes.bytes(row);
      }
    }
    runs.change(lifetimes.size(), current, StackTable.NONE);
    return runs;
  }

  private void change(int row, int before, int caller) {
    if (before != StackTable.NONE) {
      endRows[count - 1] = row;
    }
    if (caller != StackTable.NONE) {
      if (count == callers.length) {
        callers = Arrays.copyOf(callers, 2 * count);
        firstRows = Arrays.copyOf(firstRows, 2 * count);
        endRows = Arrays.copyOf(endRows, 2 * count);
        bytes = Arrays.copyOf(bytes, 2 * count);
      }
      callers[count] = caller;
      firstRows[count] = row;
      count++;
    }
  }

  int count() {
    return count;
  }

  /** The stack of the line that calls the models. */
  int caller(int run) {
    return callers[run];
  }

  int firstRow(int run) {
    return firstRows[run];
  }

  /** The first row that is not of the run. */
  int endRow(int run) {
    return endRows[run];
  }

  /** All that the run allocates, in bytes. */
  long bytes(int run) {
    return bytes[run];
  }

  /** The event of the first allocation after the run; {@link Lifetimes#NEVER} if it is the last. */
  int endEvent(int run) {
    return endRows[run] == lifetimes.size()
        ? Lifetimes.NEVER
        : lifetimes.allocationEvent(endRows[run]);
  }

  /** What is freed later outlives the run; nothing outlives one at the end of the recording. */
  int lastEvent(int run) {
    int end = endEvent(run);
    return end == Lifetimes.NEVER ? Lifetimes.NEVER - 1 : end;
  }

  /** Whether the run has a backward pass. */
  boolean isTrained(int run, TrainedCalls trained) {
    return trained.contains(lifetimes.stack(firstRows[run]));
  }

  /** The number of runs that began before an allocation of the recording, or with it. */
  int begunAt(int row) {
    return begun[row];
  }

  /** Whether an allocation of the recording is one of a run. */
  boolean isRun(int row) {
    return begun[row] > 0 && row < endRows[begun[row] - 1];
  }

  /** By run: the event at which its line has called models for the second time since; or never. */
  int[] secondNextEvents() {
    int[] next = new int[count];
    int[] second = new int[count];
    Map<Integer, Integer> latest = new HashMap<>();
    for (int run = count - 1; run >= 0; run--) {
      Integer following = latest.put(callers[run], run);
      next[run] = following == null ? NONE : following;
      int afterNext = next[run] == NONE ? NONE : next[next[run]];
      second[run] =
          afterNext == NONE ? Lifetimes.NEVER : lifetimes.allocationEvent(firstRows[afterNext]);
    }
    return second;
  }
}
