package dev.vramscope.analysis.steps;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.steps.StepTable.Active;
import dev.vramscope.analysis.steps.StepTable.Broken;
import dev.vramscope.analysis.steps.StepTable.Calls;
import dev.vramscope.analysis.steps.StepTable.Steady;
import dev.vramscope.analysis.steps.StepTable.Step;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures the steps in one scan of the trace.
 *
 * <p>Where a recurring allocation starts a step, the driver calls that serve it are recorded before
 * it. They belong to the step:
 *
 * <pre>
 *   ... | free | segment_free  segment_alloc  alloc | ...
 *              └ start here                   └ the recurring allocation
 * </pre>
 */
final class StepScan {
  /** One step without driver calls may be chance. */
  static final int LEAST_STEADY = 2;

  private final Steps steps;
  private final Trace trace;
  private final ActiveBytes active;
  private final List<Step> listed = new ArrayList<>();
  private int callingCount;
  private int lastCalling;
  private @Nullable Steady steady;
  private @Nullable EventWindow breaking;

  StepScan(Steps steps, Trace trace, ActiveBytes active) {
    this.steps = steps;
    this.trace = trace;
    this.active = active;
  }

  StepTable run() {
    int count = steps.startCount();
    if (count == 0) {
      return new StepTable(steps.source(), null, List.of(), 0, 0, null, null, 0);
    }
    int from = start(0);
    Step before = from == 0 ? null : measure(0, new EventWindow(0, from), /* isComplete= */ true);
    for (int i = 0; i < count; i++) {
      boolean isComplete = i < steps.count();
      int to = i + 1 < count ? start(i + 1) : isComplete ? steps.end(i) : trace.size();
      add(measure(i + 1, new EventWindow(from, to), isComplete));
      from = to;
    }
    Steady steadySteps = steady;
    EventWindow end = breaking;
    return new StepTable(
        steps.source(),
        before,
        listed,
        count,
        callingCount,
        steadySteps,
        steadySteps == null || end == null ? null : broken(steadySteps.last() + 1, end),
        lastCalling);
  }

  private int start(int index) {
    int start = steps.start(index);
    if (steps.source().isMarked() || start == 0 || !trace.action(start - 1).acquires()) {
      return start;
    }
    while (start > 0 && trace.action(start - 1).isOfSegment()) {
      start--;
    }
    return start;
  }

  private void add(Step step) {
    if (listed.size() < StepTable.MAX_STEPS) {
      listed.add(step);
    }
    Steady longest = steady;
    if (step.driverCalls() > 0) {
      if (longest != null && longest.last() == step.number() - 1) {
        breaking = step.window();
      }
      callingCount++;
      lastCalling = step.number();
    } else {
      Steady current = new Steady(lastCalling + 1, step.number());
      if (current.count() >= LEAST_STEADY
          && (longest == null || current.count() > longest.count())) {
        steady = current;
        breaking = null;
      }
    }
  }

  private Step measure(int number, EventWindow window, boolean isComplete) {
    long peakReserved = active.reservedAt(window.from() - 1);
    int allocations = 0;
    long allocated = 0;
    int acquires = 0;
    long acquired = 0;
    int releases = 0;
    long released = 0;
    int failures = 0;
    int retries = 0;
    Retry retry = new Retry();
    for (int event = window.from(); event < window.to(); event++) {
      TraceAction action = trace.action(event);
      retries += retry.isBefore(action) ? 1 : 0;
      switch (action) {
        case ALLOC -> {
          allocations++;
          allocated += trace.bytes(event);
        }
        case SEGMENT_ALLOC, SEGMENT_MAP -> {
          acquires++;
          acquired += trace.bytes(event);
          peakReserved = Math.max(peakReserved, active.reservedAt(event));
        }
        case SEGMENT_FREE, SEGMENT_UNMAP -> {
          releases++;
          released += trace.bytes(event);
        }
        case OOM -> failures++;
        default -> {
          // Neither memory that appears nor a call of the driver.
        }
      }
    }
    int peakEvent = active.maxEvent(window.from(), window.to());
    return new Step(
        number,
        window,
        isComplete,
        new Active(
            active.at(window.from() - 1),
            active.at(window.to() - 1),
            peakEvent,
            active.at(peakEvent)),
        peakReserved,
        new Calls(allocations, allocated),
        new Calls(acquires, acquired),
        new Calls(releases, released),
        failures,
        retries,
        RangeEvents.elapsed(trace, window));
  }

  /** Follows whether memory was released, and acquired after that, since the last request. */
  private static final class Retry {
    private boolean isReleased;
    private boolean isAcquiredAfter;

    /** Whether the request with this action, if it is one, was tried again after a release. */
    boolean isBefore(TraceAction action) {
      boolean isRetry = false;
      switch (action) {
        case SEGMENT_FREE, SEGMENT_UNMAP -> isReleased = true;
        case SEGMENT_ALLOC, SEGMENT_MAP -> isAcquiredAfter = isReleased;
        case FREE_COMPLETED -> {
          // A request also collects the frees that it has waited for.
        }
        default -> {
          isRetry =
              action == TraceAction.OOM
                  ? isReleased
                  : action == TraceAction.ALLOC && isAcquiredAfter;
          isReleased = false;
          isAcquiredAfter = false;
        }
      }
      return isRetry;
    }
  }

  private Broken broken(int step, EventWindow window) {
    int first = window.from();
    while (!trace.action(first).isOfSegment()) {
      first++;
    }
    int acquired = 0;
    int released = 0;
    int event = first;
    // A request also collects the frees that it has waited for.
    while (event < trace.size()
        && (trace.action(event).isOfSegment()
            || trace.action(event) == TraceAction.FREE_COMPLETED)) {
      acquired += trace.action(event).acquires() ? 1 : 0;
      released += trace.action(event).releases() ? 1 : 0;
      event++;
    }
    // Memory that is only released before a successful allocation was not released for it.
    boolean hasRequest =
        event < trace.size()
            && (trace.action(event) == TraceAction.OOM
                || (trace.action(event) == TraceAction.ALLOC && acquired > 0));
    int stack = hasRequest ? trace.stack(event) : StackTable.NONE;
    return new Broken(
        step,
        first,
        hasRequest ? event : -1,
        hasRequest ? trace.bytes(event) : ActiveBytes.UNKNOWN,
        stack == StackTable.NONE ? trace.stack(first) : stack,
        acquired,
        released);
  }
}
