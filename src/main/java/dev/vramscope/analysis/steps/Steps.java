package dev.vramscope.analysis.steps;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.StackTable;
import java.util.Arrays;

/**
 * The steps of a program, such as training steps, as ranges of trace events: step {@code i} is the
 * events from {@code start(i)} to {@code start(i + 1)}, exclusive. The events before the first
 * start, and those after the last, belong to no complete step.
 *
 * <p>They are found from the program's annotations or, without any, from the allocations: one that
 * recurs at regular intervals marks a step.
 */
public final class Steps {
  /** Fewer starts do not show that something recurs. */
  public static final int LEAST_STARTS = 4;

  private final Source source;
  private final int[] starts;

  /** How steps were found. */
  public enum Source {
    /** Marks that the program set, such as those of PyTorch's profiler or of its optimizers. */
    ANNOTATIONS,
    /** An allocation that recurs at regular intervals. */
    PERIODICITY,
    /** There are none, or the recording does not show them. */
    NOT_FOUND;

    /** Whether the program itself marks its steps. */
    public boolean isMarked() {
      return this == ANNOTATIONS;
    }

    /** Whether the steps are a guess. */
    public boolean isGuessed() {
      return this == PERIODICITY;
    }
  }

  private Steps(Source source, int[] starts) {
    this.source = source;
    this.starts = starts;
  }

  /** Finds the steps of a device's trace. */
  public static Steps of(StackTable stacks, DeviceSnapshot device, ActiveBytes active) {
    int[] annotated = StepAnnotations.starts(device);
    if (annotated.length >= LEAST_STARTS) {
      return new Steps(Source.ANNOTATIONS, annotated);
    }
    int[] recurring = new RecurringAllocations(stacks, device.trace(), active).starts();
    return new Steps(recurring.length == 0 ? Source.NOT_FOUND : Source.PERIODICITY, recurring);
  }

  /** The steps that start before an event. */
  public Steps before(int event) {
    int count = 0;
    while (count < starts.length && starts[count] < event) {
      count++;
    }
    return new Steps(count == 0 ? Source.NOT_FOUND : source, Arrays.copyOf(starts, count));
  }

  public Source source() {
    return source;
  }

  /** Number of starts; the last one begins a step that may be incomplete. */
  public int startCount() {
    return starts.length;
  }

  /** The first event of each step, ascending. */
  public int[] starts() {
    return starts.clone();
  }

  /** Number of complete steps. */
  public int count() {
    return Math.max(0, starts.length - 1);
  }

  /** The first event of a step. */
  public int start(int index) {
    return starts[index];
  }
}
