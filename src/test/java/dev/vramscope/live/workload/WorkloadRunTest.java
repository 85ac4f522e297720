package dev.vramscope.live.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.device.Streams;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.recorder.HistorySettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkloadRunTest {
  private static final long MIB = Bench.MIB;
  private static final WorkloadRequest ONE_STEP = WorkloadRequest.of(WorkloadKind.LEAK, 1);
  private static final WorkloadRequest ENDLESS = WorkloadRequest.of(WorkloadKind.LEAK, 0);

  private final Bench bench = Bench.of(Bench.Kind.CACHING, 100 * MIB, HistorySettings.all());

  @AfterEach
  void nothingStaysAllocated() {
    assertEquals(0, bench.allocator().inspect().totals().allocatedCount());
    assertEquals(0, bench.allocator().inspect().totals().activeBytes());
    bench.allocator().inspect().checkInvariants();
  }

  @Test
  void locatesForeignWriteIntoABlock() {
    long[] address = {0};
    WorkloadProgress progress =
        bench.run(
            context -> {
              WorkBlock block = context.allocate(MIB);
              address[0] = block.address();
              context.synchronize(context.stream());
              bench.device().work().fill(Streams.DEFAULT, block.address() + 512, 16, 4711);
              bench.device().streams().synchronize(Streams.DEFAULT);
              context.free(block);
            },
            ONE_STEP);
    assertEquals(1, progress.contents().mismatches());
    Mismatch first = progress.contents().firstMismatch();
    assertNotNull(first);
    assertEquals(address[0], first.address());
    assertEquals(512, first.offset());
    assertEquals(2, first.words());
    assertEquals(MIB, first.bytes());
  }

  @Test
  void runStoppedBeforeItsStartNeverRuns() {
    WorkloadRun run = bench.unstarted(new Leak(), ENDLESS, new Pacer(0));
    run.stop();
    run.start();
    assertEquals(new WorkloadState.Stopped(), run.progress().state());
    run.stop();
    assertEquals(0, run.progress().allocations());
  }

  @Test
  void unexpectedFailureIsReportedWithItsMessage() {
    assertEquals(
        new WorkloadState.Failed("Step 0: invalid state"),
        failing(new IllegalStateException("invalid state")));
    assertEquals(
        new WorkloadState.Failed("Step 0: internal error; the server log has the details"),
        failing(new ArithmeticException()));
  }

  private WorkloadState failing(RuntimeException failure) {
    return bench
        .run(
            context -> {
              throw failure;
            },
            ONE_STEP)
        .state();
  }

  @Test
  void withoutVerificationNothingIsFilledOrChecked() {
    WorkloadRequest unverified =
        new WorkloadRequest("training-fixed", 3, 1, 0.005, 0, false, false, null);
    WorkloadProgress progress = bench.run(new Training(/* varying= */ false), unverified);
    assertEquals(new WorkloadState.Done(), progress.state());
    assertEquals(0, progress.filledBytes());
    assertEquals(0, progress.contents().checks());
    assertThat(progress.allocations()).isPositive();
  }

  @Test
  void outOfMemoryFailsTheRun() {
    WorkloadProgress progress =
        bench.run(
            context -> {
              context.allocate(60 * MIB);
              context.allocate(60 * MIB);
            },
            ONE_STEP);
    assertThat(progress.state())
        .isInstanceOfSatisfying(
            WorkloadState.Failed.class,
            failed -> assertThat(failed.reason()).startsWith("Step 0: CUDA out of memory."));
    assertEquals(1, progress.ooms());
    assertEquals(0, progress.oomsRecovered());
  }

  @Test
  void retriesStepOnceWithAnEmptyCache() {
    int[] attempts = {0};
    long[] reserved = {-1};
    WorkloadProgress progress =
        bench.run(
            context -> {
              if (attempts[0]++ == 0) {
                try (BlockList blocks = context.blocks()) {
                  blocks.add(context.allocate(60 * MIB));
                  blocks.add(context.allocate(60 * MIB));
                }
              }
              reserved[0] = bench.allocator().inspect().totals().reservedBytes();
            },
            ONE_STEP.withRetryAfterOom());
    assertEquals(new WorkloadState.Done(), progress.state());
    assertEquals(2, attempts[0]);
    assertEquals(0, reserved[0], "the cache was emptied in between");
    assertEquals(1, progress.ooms());
    assertEquals(1, progress.oomsRecovered());
  }

  @Test
  void failedWorkloadLeavesNothingAllocated() {
    WorkloadProgress progress =
        bench.run(
            context -> {
              context.use(context.allocate(MIB), context.newStream());
              throw new IllegalStateException("a bug in the workload");
            },
            ONE_STEP);
    assertThat(progress.state())
        .isInstanceOfSatisfying(
            WorkloadState.Failed.class,
            failed -> assertThat(failed.reason()).contains("a bug in the workload"));
    bench.allocator().emptyCache();
  }

  @Test
  void stopsPromptly() {
    WorkloadRun run = bench.start(new KeyValueCacheInference(), ENDLESS.withScale(0.01));
    awaitAllocations(run, 100);
    run.stop();
    assertEquals(new WorkloadState.Stopped(), run.progress().state());
  }

  @Test
  void stopsWhileWaitingForTheNextEvent() throws InterruptedException {
    CountDownLatch waiting = new CountDownLatch(1);
    Pacer pacer =
        new Pacer(
            1,
            () -> 0,
            _ -> {
              waiting.countDown();
              LockSupport.park();
            });
    WorkloadRun run = bench.start(new Leak(), ENDLESS.withScale(0.001), pacer);
    assertTrue(waiting.await(30, TimeUnit.SECONDS));
    run.stop();
    assertEquals(new WorkloadState.Stopped(), run.progress().state());
    assertThat(run.progress().steps()).isZero();
  }

  @Test
  void runsWithALimitedRate() {
    AtomicLong nanos = new AtomicLong();
    WorkloadProgress progress =
        bench.run(
            new Leak(),
            WorkloadRequest.of(WorkloadKind.LEAK, 10).withScale(0.001),
            new Pacer(1000, nanos::get, nanos::addAndGet));
    // Remaining blocks are freed without pauses: ten times eleven allocations and eight frees.
    assertEquals(110, progress.allocations());
    assertEquals(TimeUnit.MILLISECONDS.toNanos(10 * (11 + 8) - 1), nanos.get());
  }

  @Test
  void reusesStreamsOfEndedRuns() {
    for (int i = 0; i < 5; i++) {
      bench.run(context -> context.free(context.allocate(MIB, context.newStream())), ONE_STEP);
    }
    assertEquals(3, bench.device().streams().create());
  }

  @Test
  void blocksHaveTheNamesOfTheirScopes() {
    bench.run(
        new Training(/* varying= */ false),
        WorkloadRequest.of(WorkloadKind.TRAINING_FIXED, 1).withScale(0.005));
    Snapshot snapshot = bench.target().recorder().snapshot();
    DeviceSnapshot device = snapshot.devices().getFirst();
    Trace trace = device.trace();
    boolean[] found = {false};
    for (int event = 0; event < trace.size(); event++) {
      if (trace.action(event) == TraceAction.ALLOC) {
        String names = snapshot.stacks().framesOf(trace.stack(event)).toString();
        assertThat(names).contains("training-fixed");
        found[0] |= names.contains("forward/layer 3");
      }
    }
    assertThat(found[0]).isTrue();
  }

  @Test
  void rejectsInvalidParameters() {
    assertThat(
            assertThrows(IllegalArgumentException.class, () -> WorkloadKind.of("training"))
                .getMessage())
        .contains("'training'", "training-fixed", "replay-snapshot");
    assertThrows(IllegalArgumentException.class, () -> ONE_STEP.withScale(0));
    assertThrows(IllegalArgumentException.class, () -> ONE_STEP.withScale(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> ONE_STEP.withOperationsPerSecond(-1));
    assertThrows(IllegalArgumentException.class, () -> WorkloadRequest.of(WorkloadKind.LEAK, -1));
    assertThrows(
        IllegalArgumentException.class, () -> WorkloadRequest.of(WorkloadKind.REPLAY_SNAPSHOT, 0));
  }

  /** The deadline only turns a hang into a failure. */
  private static void awaitAllocations(WorkloadRun run, long count) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (run.progress().allocations() < count && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(run.progress().allocations()).isGreaterThanOrEqualTo(count);
  }
}
