package dev.vramscope.live.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class AllWorkloadsTest {
  private static final long DEVICE_BYTES = 2048 * Bench.MIB;
  private static final double SCALE = 0.02;
  private static final int STEPS = 12;

  static Workload workload(WorkloadKind kind) {
    return switch (kind) {
      case TRAINING_FIXED -> new Training(/* varying= */ false);
      case TRAINING_VARYING -> new Training(/* varying= */ true);
      case INFERENCE_KV_CACHE -> new KeyValueCacheInference();
      case LEAK -> new Leak();
      case CROSS_STREAM -> new Pipeline(/* recorded= */ true);
      case CROSS_STREAM_UNRECORDED -> new Pipeline(/* recorded= */ false);
      case INPUT_PIPELINE -> new InputPipeline();
      case FRAGMENTER -> new Fragmenter();
      case REPLAY_SNAPSHOT -> throw new IllegalArgumentException("needs a snapshot");
    };
  }

  @TestFactory
  List<DynamicTest> runsOnEveryAllocatorWithoutMismatchAndFreesEverything() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Bench.Kind kind : Bench.Kind.values()) {
      for (WorkloadKind work : WorkloadKind.values()) {
        if (work != WorkloadKind.REPLAY_SNAPSHOT && work != WorkloadKind.CROSS_STREAM_UNRECORDED) {
          tests.add(
              DynamicTest.dynamicTest(work + " on " + kind, () -> runsWithoutMismatch(kind, work)));
        }
      }
    }
    return tests;
  }

  /**
   * Runs steps of a workload and checks that there was no mismatch and that nothing stays
   * allocated.
   */
  private static void runsWithoutMismatch(Bench.Kind kind, WorkloadKind work) {
    runsWithoutMismatch(Bench.of(kind, DEVICE_BYTES), work, STEPS);
  }

  static void runsWithoutMismatch(Bench bench, WorkloadKind work, int steps) {
    WorkloadProgress progress =
        bench.run(workload(work), WorkloadRequest.of(work, steps).withScale(SCALE));
    assertEquals(new WorkloadState.Done(), progress.state());
    assertEquals(steps, progress.steps());
    assertEquals(0, progress.contents().mismatches());
    assertNull(progress.contents().firstMismatch());
    assertThat(progress.allocations()).isPositive().isEqualTo(progress.frees());
    assertThat(progress.contents().checks()).isGreaterThanOrEqualTo(progress.allocations());
    assertThat(progress.filledBytes()).isGreaterThanOrEqualTo(progress.peakBytes());
    bench.allocator().inspect().checkInvariants();
    assertEquals(0, bench.allocator().inspect().totals().allocatedCount());
    bench.allocator().emptyCache();
    assertEquals(bench.allocator().inspect().totals().reservedBytes(), bench.usedBytes());
    assertEquals(0, bench.allocator().inspect().totals().activeBytes());
  }

  @Test
  void detectsUnrecordedUseIfFreedBlocksAreReusedImmediately() {
    for (Bench.Kind kind : List.of(Bench.Kind.CACHING, Bench.Kind.CACHING_EXPANDABLE)) {
      Bench bench = Bench.of(kind, DEVICE_BYTES);
      WorkloadProgress progress =
          bench.run(
              new Pipeline(/* recorded= */ false),
              WorkloadRequest.of(WorkloadKind.CROSS_STREAM_UNRECORDED, 30).withScale(SCALE));
      assertEquals(new WorkloadState.Done(), progress.state());
      assertThat(progress.contents().mismatches()).isPositive();
      Mismatch first = progress.contents().firstMismatch();
      assertNotNull(first);
      assertThat(first.words()).isPositive();
      assertEquals(0, first.offset());
      assertEquals(2, first.stream(), "the stream of the consumer");
      assertEquals(0, bench.allocator().inspect().totals().allocatedCount());
    }
  }

  @Test
  void detectsUnrecordedUseAtASlowPace() {
    WorkloadProgress progress =
        Bench.of(Bench.Kind.CACHING, DEVICE_BYTES)
            .run(
                new Pipeline(/* recorded= */ false),
                WorkloadRequest.of(WorkloadKind.CROSS_STREAM_UNRECORDED, 6)
                    .withScale(SCALE)
                    .withOperationsPerSecond(500));
    assertEquals(new WorkloadState.Done(), progress.state());
    assertThat(progress.contents().mismatches()).isPositive();
  }

  @Test
  void unrecordedUseIsHarmlessIfTheDriverWaitsForAllStreams() {
    WorkloadProgress progress =
        Bench.of(Bench.Kind.DIRECT, DEVICE_BYTES)
            .run(
                new Pipeline(/* recorded= */ false),
                WorkloadRequest.of(WorkloadKind.CROSS_STREAM_UNRECORDED, 6).withScale(SCALE));
    assertEquals(0, progress.contents().mismatches());
  }

  @Test
  void equalSeedsRequestEqualBlocks() {
    for (WorkloadKind work : WorkloadKind.values()) {
      if (work != WorkloadKind.REPLAY_SNAPSHOT) {
        WorkloadRequest request = WorkloadRequest.of(work, 5).withScale(SCALE);
        WorkloadProgress first =
            Bench.of(Bench.Kind.CACHING, DEVICE_BYTES).run(workload(work), request);
        WorkloadProgress again =
            Bench.of(Bench.Kind.DIRECT, DEVICE_BYTES).run(workload(work), request);
        assertEquals(first.allocations(), again.allocations());
        assertEquals(first.filledBytes(), again.filledBytes());
        assertEquals(first.peakBytes(), again.peakBytes());
      }
    }
  }

  @Test
  void leakFailsWithOutOfMemory() {
    Bench bench = Bench.of(Bench.Kind.CACHING, 300 * Bench.MIB);
    WorkloadRequest request = WorkloadRequest.of(WorkloadKind.LEAK, 0).withRetryAfterOom();
    WorkloadProgress progress = bench.run(new Leak(), request);
    assertThat(progress.state())
        .isInstanceOfSatisfying(
            WorkloadState.Failed.class,
            failed ->
                assertThat(failed.reason())
                    .startsWith("Step " + progress.steps() + ": CUDA out of memory."));
    assertThat(progress.ooms()).isGreaterThanOrEqualTo(2);
    assertThat(progress.peakBytes()).isGreaterThan(150 * Bench.MIB);
    assertEquals(0, bench.allocator().inspect().totals().allocatedCount());
    bench.allocator().inspect().checkInvariants();
    bench.allocator().free(bench.allocator().allocate(200 * Bench.MIB, 0));
  }

  @Test
  void fragmenterReservesMoreThanItRequests() {
    Bench bench = Bench.of(Bench.Kind.CACHING, 8192 * Bench.MIB);
    WorkloadProgress progress =
        bench.run(new Fragmenter(), WorkloadRequest.of(WorkloadKind.FRAGMENTER, 60));
    assertEquals(new WorkloadState.Done(), progress.state());
    assertThat(bench.allocator().inspect().totals().peakReservedBytes())
        .isGreaterThan(progress.peakBytes() * 5 / 4);
  }
}
