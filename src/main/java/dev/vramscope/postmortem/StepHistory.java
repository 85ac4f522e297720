package dev.vramscope.postmortem;

import dev.vramscope.analysis.ActiveBytes;
import dev.vramscope.analysis.RobustSlope;
import dev.vramscope.analysis.Steps;
import dev.vramscope.model.Trace;
import java.util.Arrays;

/**
 * What the steps before a failure show: whether live memory grew, and how high the peaks were.
 *
 * @param stepCount number of complete steps before the failure
 * @param medianPeakBytes the median of their peaks of active bytes
 * @param largestPeakBytes the largest of their peaks
 * @param failingPeakBytes active bytes at the failure and the bytes of the request
 * @param growth of the active bytes at the starts of the steps
 * @param isLoop whether the steps free memory, too; otherwise they only load it
 */
record StepHistory(
    int stepCount,
    long medianPeakBytes,
    long largestPeakBytes,
    long failingPeakBytes,
    RobustSlope growth,
    boolean isLoop) {
  /** No steps are known. */
  static final StepHistory NONE = new StepHistory(0, 0, 0, 0, new RobustSlope(0, 0, 0), false);

  private static final int LEAST_STEPS = 3;

  /** Growth has to be seen over this many steps. */
  private static final int LEAST_GROWING_STEPS = 5;

  private static final double LEAST_AGREEMENT = 0.7;

  /** Peaks within a quarter of their median are steady; a spike exceeds all by a quarter. */
  private static final double STEADY = 1.25;

  /** Frees of at least a tenth of the allocations make a sequence of steps a loop. */
  private static final int LEAST_FREED_SHARE = 10;

  static StepHistory of(Trace trace, ActiveBytes active, Steps all, int event, long askedBytes) {
    Steps steps = all.before(event);
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
    boolean isOngoing = later.bytesPerStep() >= growth.bytesPerStep() / 3;
    return new StepHistory(
        peaks.length,
        peaks[peaks.length / 2],
        peaks[peaks.length - 1],
        active.at(event) + askedBytes,
        isOngoing ? growth : new RobustSlope(0, 0, live.length),
        isLoop(trace, steps.start(0), event));
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
    return isLong() && isSteady();
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
        && growth.agreement() >= LEAST_AGREEMENT
        && growth.grownBytes() >= Math.max(1, leastBytes);
  }

  /** Whether the failing step needs far more than the steady peak of the steps before it. */
  boolean isSpike() {
    return stepCount >= LEAST_STEPS && isSteady() && failingPeakBytes >= STEADY * largestPeakBytes;
  }
}
