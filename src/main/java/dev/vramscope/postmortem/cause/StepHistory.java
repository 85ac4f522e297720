package dev.vramscope.postmortem.cause;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.RobustSlope;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.Trace;
import java.util.Arrays;

/**
 * What the steps before a failure show: whether live memory grew, and how high the peaks were.
 *
 * @param stepCount number of complete steps before the failure
 * @param medianPeakBytes the median of their peaks of active bytes
 * @param largestPeakBytes the largest of their peaks
 * @param earlierPeakBytes the most active bytes that were freed again before the failure, also
 *     before the first step
 * @param failingPeakBytes active bytes at the failure and the bytes of the request
 * @param growth of the active bytes at the starts of the steps
 * @param isLoop whether the steps free memory, too; otherwise they only load it
 * @param isKept whether the growth consists of blocks that were kept since; otherwise each step
 *     replaces its blocks, by more or larger ones
 */
public record StepHistory(
    int stepCount,
    long medianPeakBytes,
    long largestPeakBytes,
    long earlierPeakBytes,
    long failingPeakBytes,
    RobustSlope growth,
    boolean isLoop,
    boolean isKept) {
  /** No steps are known. */
  public static final StepHistory NONE =
      new StepHistory(
          0, 0, 0, 0, 0, new RobustSlope(0, 0, 0), /* isLoop= */ false, /* isKept= */ false);

  private static final int LEAST_STEPS = 3;

  /** Growth has to be seen over this many steps. */
  private static final int LEAST_GROWING_STEPS = 5;

  private static final double LEAST_AGREEMENT = 0.7;

  /**
   * Blocks that are replaced, as by a server with varying load, have to grow in nearly every step.
   */
  private static final double LEAST_AGREEMENT_IF_REPLACED = 0.95;

  /** Peaks within a quarter of their median are steady; a spike exceeds all by a quarter. */
  private static final double STEADY = 1.25;

  /** A peak has passed when a quarter of it has been freed. */
  private static final double FREED_AGAIN = 0.75;

  /** Frees of at least a tenth of the allocations make a sequence of steps a loop. */
  private static final int LEAST_FREED_SHARE = 10;

  public static StepHistory of(Trace trace, RecordedHistory history, int event, long askedBytes) {
    ActiveBytes active = history.active();
    Steps steps = history.steps().before(event);
    if (steps.count() < LEAST_STEPS) {
      return NONE;
    }
    long[] peaks = new long[steps.count()];
    long[] live = new long[steps.startCount()];
    for (int step = 0; step < live.length; step++) {
      live[step] = active.at(steps.start(step) - 1);
      if (step < peaks.length) {
        peaks[step] = active.max(steps.start(step), steps.start(step + 1));
      }
    }
    Arrays.sort(peaks);
    // The later half must grow, too: programs load and warm up first.
    RobustSlope growth = RobustSlope.of(live);
    RobustSlope later = RobustSlope.of(Arrays.copyOfRange(live, live.length / 2, live.length));
    boolean isKept = isKept(history.lifetimes(), steps, live, event);
    boolean isOngoing = later.bytesPerStep() >= growth.bytesPerStep() / (isKept ? 3 : 2);
    return new StepHistory(
        peaks.length,
        peaks[peaks.length / 2],
        peaks[peaks.length - 1],
        peakBefore(active, steps.start(steps.count()), event),
        active.at(event) + askedBytes,
        isOngoing ? growth : new RobustSlope(0, 0, live.length),
        isLoop(trace, steps.start(0), event),
        isKept);
  }

  /**
   * The most active bytes that were freed again before an event. Steps may begin in the middle of
   * an iteration, so the failing one may contain the end of the iteration before it.
   */
  private static long peakBefore(ActiveBytes active, int lastStart, int event) {
    long earlier = active.max(0, lastStart);
    long rising = 0;
    for (int at = lastStart; at < event; at++) {
      long bytes = active.at(at);
      if (bytes < FREED_AGAIN * rising) {
        earlier = Math.max(earlier, rising);
        rising = bytes;
      }
      rising = Math.max(rising, bytes);
    }
    return earlier;
  }

  /**
   * Whether at least half of what live memory grew by, from the second step to three quarters of
   * all, is in blocks that are still live at the failure.
   */
  private static boolean isKept(Lifetimes lifetimes, Steps steps, long[] live, int event) {
    int until = live.length * 3 / 4;
    // The first step loads what stays, such as the optimizer's state.
    long grown = live[until] - live[1];
    long keptBytes = 0;
    int end = lifetimes.firstAllocatedFrom(steps.start(until));
    for (int row = lifetimes.firstAllocatedFrom(steps.start(1)); row < end; row++) {
      if (lifetimes.isActiveAt(row, event)) {
        keptBytes += lifetimes.bytes(row);
      }
    }
    return grown > 0 && 2 * keptBytes >= grown;
  }

  private static boolean isLoop(Trace trace, int from, int to) {
    int allocated = 0;
    int freed = 0;
    for (int event = from; event < to; event++) {
      switch (trace.action(event)) {
        case ALLOC -> allocated++;
        case FREE_REQUESTED -> freed++;
        default -> {
          // Neither.
        }
      }
    }
    return freed * LEAST_FREED_SHARE >= allocated;
  }

  /** Whether the steps would show a leak and a spike: they are enough, with steady peaks. */
  boolean isConclusive() {
    boolean mayGrow = growth.agreement() >= LEAST_AGREEMENT && !growth.isSignificant();
    return isLong() && isSteady() && !mayGrow;
  }

  private boolean isLong() {
    return stepCount >= LEAST_GROWING_STEPS;
  }

  private boolean isSteady() {
    return largestPeakBytes <= STEADY * medianPeakBytes;
  }

  /** Whether live memory has grown step by step by at least this much. */
  boolean isLeak(long leastBytes) {
    return isLoop
        && isLong()
        && growth.isSignificant()
        && growth.agreement() >= (isKept ? LEAST_AGREEMENT : LEAST_AGREEMENT_IF_REPLACED)
        && growth.grownBytes() >= Math.max(1, leastBytes);
  }

  /** Whether the failing step needs far more than the steady peak of the steps before it. */
  boolean isSpike() {
    return stepCount >= LEAST_STEPS
        && isSteady()
        && failingPeakBytes >= STEADY * Math.max(largestPeakBytes, earlierPeakBytes);
  }
}
