package dev.vramscope.live.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Counterfactuals;
import dev.vramscope.postmortem.cause.Counterfactuals.Answer;
import dev.vramscope.postmortem.cause.Counterfactuals.Name;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Workloads that run out of memory on each kind of hosted allocator. What is true of a failure is
 * found by continuing: the failed request is made again on the same allocator without the memory of
 * others, with twice the memory, and on other streams, and the same workload runs again without a
 * limit, which shows how far perfect packing would have carried it, and whether its memory grew.
 *
 * <p>Input pipelines and pairs of streams repeat their first step, so they fail in it, or never.
 */
class WorkloadCausesTest {
  private static final long MIB = 1L << 20;
  private static final long PAGE = 2 * MIB;
  private static final int SEEDS = 4;

  /** Sizes of the device, as shares of the most that the workload holds. */
  private static final double[] SHARES = {0.6, 0.9, 1.0, 1.05};

  /** Packing has to carry a run this much farther to be the answer. */
  private static final double MUCH_FARTHER = 1.1;

  /** The rule's "nearly full", where packing would not help for long (docs/verdicts.md). */
  private static final double NEARLY_FULL = 0.93;

  @TestFactory
  List<DynamicTest> causesAreWhatContinuingTheRunShows() {
    List<DynamicTest> tests = new ArrayList<>();
    for (WorkloadKind kind : WorkloadKind.values()) {
      if (kind != WorkloadKind.REPLAY_SNAPSHOT && kind != WorkloadKind.CROSS_STREAM_UNRECORDED) {
        for (Bench.Kind allocator : Bench.Kind.values()) {
          tests.add(dynamicTest(kind + " on " + allocator, () -> compare(kind, allocator)));
        }
      }
    }
    return tests;
  }

  private static void compare(WorkloadKind kind, Bench.Kind allocator) {
    int failures = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed * 31L + kind.ordinal());
      FailingRun unlimited = FailingRun.of(kind, Bench.Kind.DIRECT, seed, 1L << 45, 0);
      for (double share : SHARES) {
        long capacity = Math.round(unlimited.peakBytes() * share) / PAGE * PAGE;
        long others = random.nextInt(3) == 0 ? capacity / 4 / PAGE * PAGE : 0;
        FailingRun run = FailingRun.of(kind, allocator, seed, capacity + others, others);
        if (run.failure().isPresent()) {
          failures++;
          String name =
              "seed %d on %d MiB with %d MiB of others: %s"
                  .formatted(seed, (capacity + others) / MIB, others / MIB, run.failure().get());
          compare(name, kind, run.failure().get(), unlimited);
        }
      }
    }
    assertThat(failures).as("failures").isPositive();
  }

  private static void compare(
      String name, WorkloadKind kind, FailingRun.Failure failure, FailingRun unlimited) {
    OomReport report = failure.report();
    List<Cause> named = new ArrayList<>(report.alsoPresent());
    named.addFirst(report.verdict().cause());
    assertThat(expected(failure, unlimited)).as(name).contains(named.getFirst());
    if (kind == WorkloadKind.LEAK) {
      assertThat(named).as(name).contains(Cause.LEAK);
    }
    if (failure.isServedWithoutLimit()) {
      assertThat(named)
          .as(name)
          .containsAnyOf(Cause.LIMIT, Cause.REQUEST_EXCEEDS_DEVICE, Cause.REQUEST_EXCEEDS_POOL);
    }
    Counterfactuals rows = report.counterfactuals();
    // A pool of BFC grows with the device, but only in another run.
    if (failure.limitBytes().isEmpty()) {
      assertThat(isYes(rows, Name.WITHOUT_OTHERS))
          .as(name)
          .isEqualTo(failure.isServedWithoutOthers());
      if (rows.row(Name.DOUBLE_TOTAL).answer() != Answer.UNKNOWN) {
        assertThat(isYes(rows, Name.DOUBLE_TOTAL)).as(name).isEqualTo(failure.isServedWithTwice());
      }
    }
    assertThat(isYes(rows, Name.WITHOUT_LIMIT)).as(name).isEqualTo(failure.isServedWithoutLimit());
    assertThat(isYes(rows, Name.ON_ONE_STREAM)).as(name).isEqualTo(failure.isServedByOtherStream());
    if (failure.liveBytes() + failure.askedBytes() > failure.capacityBytes()) {
      assertThat(isYes(rows, Name.PERFECTLY_PACKED)).as(name).isFalse();
    }
  }

  private static boolean isYes(Counterfactuals rows, Name name) {
    return rows.row(name).answer() == Answer.YES;
  }

  /** The causes that may come first. */
  private static Set<Cause> expected(FailingRun.Failure failure, FailingRun unlimited) {
    if (failure.askedBytes() > failure.limitBytes().orElse(Long.MAX_VALUE)) {
      return EnumSet.of(Cause.LIMIT, Cause.REQUEST_EXCEEDS_POOL);
    }
    Set<Cause> causes = EnumSet.noneOf(Cause.class);
    if (!failure.isServedAlone()) {
      // On tiny devices, whole pages or segments for the request may be too large.
      causes.add(Cause.REQUEST_EXCEEDS_DEVICE);
      if (failure.askedBytes() > failure.totalBytes()) {
        return causes;
      }
    }
    long packedBytes = failure.liveBytes() + failure.askedBytes();
    boolean arePiecesEnough = packedBytes <= failure.capacityBytes() && failure.cachedBytes() > 0;
    if (arePiecesEnough) {
      causes.add(Cause.FRAGMENTATION);
      causes.add(Cause.CHUNK_WASTE);
      if (failure.isServedByOtherPool()) {
        causes.add(Cause.OTHER_POOL);
      }
    }
    boolean isFull = failure.liveBytes() >= NEARLY_FULL * failure.capacityBytes();
    int packedFailure = unlimited.failsAt(failure.capacityBytes());
    if (!arePiecesEnough || isFull || packedFailure < MUCH_FARTHER * failure.request()) {
      causes.add(
          failure.isServedWithoutOthers()
              ? Cause.OUTSIDE_ALLOCATOR
              : failure.isServedWithoutLimit() ? Cause.LIMIT : Cause.TOO_MUCH_LIVE);
      if (unlimited.isSpike(failure.request(), packedBytes)) {
        causes.add(Cause.SPIKE);
      }
    }
    if (unlimited.grewUntil(failure.request())) {
      causes.add(Cause.LEAK);
    }
    return causes;
  }
}
