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
 * @param steps the steps in which the growth is measured: those of the loop that failed, or of all
 * @param stepCount number of complete steps before the failure
 * @param medianPeakBytes the median of their peaks of active bytes
 * @param largestPeakBytes the largest of their peaks
 * @param earlierPeakBytes the most active bytes that were freed again before the failure, also
 *     before the first step
 * @param failingPeakBytes active bytes at the failure and the bytes of the request
 * @param needs what the steps need beyond what is live at their starts
 * @param growth of the active bytes at the starts of the steps
 * @param isRaised whether the last start has far more than another one, as after a growth that an
 *     earlier failure has ended
 * @param isEven whether they grew in each step, by about as much
 * @param isLoop whether the steps free memory, too; otherwise they only load it
 * @param isKept whether the growth consists of blocks that were kept since, or that the program
 *     makes outside its models; otherwise each step replaces the blocks of a model by more or
 *     larger ones
 */
public record StepHistory(
    Steps steps,
    int stepCount,
    long medianPeakBytes,
    long largestPeakBytes,
    long earlierPeakBytes,
    long failingPeakBytes,
    Needs needs,
    RobustSlope growth,
    boolean isRaised,
    boolean isEven,
    boolean isLoop,
    boolean isKept) {

  /**
   * Active bytes beyond those at the start of a step.
   *
   * @param median of the steps before the failing one, at their peaks
   * @param largest of these
   * @param failing of the failing step with the request; 0 if the failure is in no step
   */
  record Needs(long median, long largest, long failing) {
    private static final Needs NONE = new Needs(0, 0, 0);
  }

  /** No steps are known. */
  public static final StepHistory NONE =
      new StepHistory(
          Steps.NONE,
          0,
          0,
          0,
          0,
          0,
          Needs.NONE,
          new RobustSlope(0, 0, 0),
          /* isRaised= */ false,
          /* isEven= */ false,
          /* isLoop= */ false,
          /* isKept= */ false);

  private static final int LEAST_STEPS = 3;

  /** Growth has to be seen over this many steps. */
  private static final int LEAST_GROWING_STEPS = 5;

  private static final double LEAST_AGREEMENT = 0.7;

  /**
   * Blocks that are replaced, as by a server with varying load, have to grow in nearly every step.
   */
  private static final double LEAST_AGREEMENT_IF_REPLACED = 0.95;

  /** So few steps of a loop show growth if each of them grows by about as much. */
  private static final int LEAST_EVEN_STEPS = 3;

  /** Growth is even if no step grows by less than this share of the median. */
  private static final double EVEN = 0.5;

  /** Growth has reached a bound if the last quarter has less than this share of it in a step. */
  private static final double BOUNDED = 0.2;

  /** A start with so much more than another one, as a share of all, may have grown. */
  private static final double LARGE_RISE = 0.1;

  /** Peaks within a quarter of their median are steady; a spike exceeds all by a quarter. */
  private static final double STEADY = 1.25;

  /** A spike among steps of different needs exceeds the largest by as much again. */
  private static final double FAR_MORE = 2;

  /** A peak has passed when a quarter of it has been freed. */
  private static final double FREED_AGAIN = 0.75;

  /** Frees of at least a tenth of the allocations make a sequence of steps a loop. */
  private static final int LEAST_FREED_SHARE = 10;

  public static StepHistory of(Trace trace, RecordedHistory history, int event, long askedBytes) {
    Steps all = history.steps().before(event);
    if (all.count() < LEAST_STEPS) {
      return NONE;
    }
    StepHistory ofAll = of(all, all, trace, history, event, askedBytes);
    if (!all.source().isOfCode()) {
      return ofAll;
    }
    Steps own = all.ofLastLoop();
    if (own.count() == all.count() || own.count() < LEAST_EVEN_STEPS) {
      return ofAll;
    }
    StepHistory ofOwn = of(own, all, trace, history, event, askedBytes);
    return ofOwn.isGrowing() || !ofAll.isGrowing() ? ofOwn : ofAll;
  }

  /**
   * The history of some steps.
   *
   * @param growing the steps in which the growth is measured
   * @param all the steps whose peaks and needs are measured
   */
  private static StepHistory of(
      Steps growing, Steps all, Trace trace, RecordedHistory history, int event, long askedBytes) {
    ActiveBytes active = history.active();
    long[] live = new long[growing.startCount()];
    for (int step = 0; step < live.length; step++) {
      live[step] = active.at(growing.start(step) - 1);
    }
    long[] peaks = new long[all.count()];
    long[] needs = new long[all.count()];
    for (int step = 0; step < peaks.length; step++) {
      peaks[step] = active.max(all.start(step), all.end(step));
      needs[step] = peaks[step] - active.at(all.start(step) - 1);
    }
    int lastStart = all.start(all.startCount() - 1);
    long failingPeakBytes = active.at(event) + askedBytes;
    long failingNeed = all.isLastOpen() ? failingPeakBytes - active.at(lastStart - 1) : 0;
    Arrays.sort(peaks);
    Arrays.sort(needs);
    // The later half must grow, too: programs load and warm up first.
    RobustSlope growth = RobustSlope.of(live);
    RobustSlope later = RobustSlope.of(Arrays.copyOfRange(live, live.length / 2, live.length));
    boolean isKept = isKept(history.lifetimes(), growing, live, event);
    boolean isOngoing =
        later.bytesPerStep() >= growth.bytesPerStep() / (isKept ? 3 : 2)
            && !isBounded(live, growth);
    return new StepHistory(
        growing,
        growing.count(),
        peaks[peaks.length / 2],
        peaks[peaks.length - 1],
        peakBefore(active, lastStart, event),
        failingPeakBytes,
        new Needs(needs[needs.length / 2], needs[needs.length - 1], failingNeed),
        isOngoing ? growth : new RobustSlope(0, 0, live.length),
        isRaised(live),
        growing.source().isOfCode() && isEven(live),
        isLoop(trace, growing.start(0), event),
        isKept);
  }

  /** Whether the last quarter hardly grows, as a cache that has reached its bound. */
  private static boolean isBounded(long[] live, RobustSlope growth) {
    long[] latest = Arrays.copyOfRange(live, live.length - live.length / 4, live.length);
    return latest.length >= LEAST_GROWING_STEPS
        && RobustSlope.of(latest).bytesPerStep() < BOUNDED * growth.bytesPerStep();
  }

  private static boolean isRaised(long[] live) {
    long last = live[live.length - 1];
    // The first step loads what stays, such as the optimizer's state.
    long least = Arrays.stream(live, 1, live.length).min().orElse(last);
    return last - least >= LARGE_RISE * last && last > least;
  }

  private static boolean isEven(long[] live) {
    long[] grown = new long[live.length - 1];
    for (int step = 0; step < grown.length; step++) {
      grown[step] = live[step + 1] - live[step];
    }
    Arrays.sort(grown);
    return grown.length >= LEAST_EVEN_STEPS
        && grown[0] > 0
        && grown[0] >= EVEN * grown[grown.length / 2];
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
   * all, is in blocks that are still live at the failure, or that the program made outside its
   * models, as results that it joins with {@code torch.cat}.
   */
  private static boolean isKept(Lifetimes lifetimes, Steps steps, long[] live, int event) {
    int until = live.length * 3 / 4;
    // The first step loads what stays, such as the optimizer's state.
    long grown = live[until] - live[1];
    long keptBytes = 0;
    long outsideBytes = 0;
    int untilEvent = steps.start(until);
    int end = lifetimes.firstAllocatedFrom(untilEvent);
    for (int row = lifetimes.firstAllocatedFrom(steps.start(1)); row < end; row++) {
      if (lifetimes.isActiveAt(row, event)) {
        keptBytes += lifetimes.bytes(row);
      }
      if (lifetimes.isActiveAt(row, untilEvent - 1) && !steps.isModelCall(lifetimes.stack(row))) {
        outsideBytes += lifetimes.bytes(row);
      }
    }
    return grown > 0
        && (2 * keptBytes >= grown || (steps.source().isOfCode() && 2 * outsideBytes >= grown));
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

  /** What follows the number of steps in a sentence: that they are a guess, if they are. */
  public String guess() {
    return steps.source().isGuessed() ? ", which are a guess," : "";
  }

  /** Whether the steps would show a leak and a spike: they are enough, with steady peaks. */
  boolean isConclusive() {
    boolean mayGrow = growth.agreement() >= LEAST_AGREEMENT && !growth.isSignificant();
    return isLong() && isSteady() && !mayGrow && !isRaised;
  }

  private boolean isLong() {
    return stepCount >= LEAST_GROWING_STEPS;
  }

  private boolean isSteady() {
    return largestPeakBytes <= STEADY * medianPeakBytes;
  }

  /** Whether live memory has grown step by step by at least this much. */
  boolean isLeak(long leastBytes) {
    return isLoop && isGrowing() && growth.grownBytes() >= Math.max(1, leastBytes);
  }

  private boolean isGrowing() {
    return isEven
        || (isLong()
            && growth.isSignificant()
            && growth.agreement() >= (isKept ? LEAST_AGREEMENT : LEAST_AGREEMENT_IF_REPLACED));
  }

  /** Whether the failing step needs far more than the steps before it. */
  boolean isSpike() {
    if (stepCount < LEAST_STEPS && needs.largest() == 0) {
      return false;
    }
    if (steps.source().isOfCode()) {
      boolean isSteadyNeed = needs.largest() <= STEADY * needs.median();
      return isLoop && needs.failing() >= (isSteadyNeed ? STEADY : FAR_MORE) * needs.largest();
    }
    return isSteady() && failingPeakBytes >= STEADY * Math.max(largestPeakBytes, earlierPeakBytes);
  }

  /** Whether the failing step needs no more than the steps before it. */
  boolean isUsual() {
    return needs.failing() > 0 && !isLarger();
  }

  /** Whether the failing step already needs more than the steps before it. */
  boolean isLarger() {
    return needs.failing() > STEADY * needs.largest();
  }

  /**
   * Steps until live memory alone would exceed a capacity, if it goes on growing.
   *
   * @param capacityBytes all that the allocator could use
   */
  long stepsUntil(long capacityBytes) {
    if (growth.bytesPerStep() <= 0) {
      return Long.MAX_VALUE;
    }
    long room = capacityBytes - largestPeakBytes;
    return Math.max(0, Math.round(room / growth.bytesPerStep()));
  }
}
