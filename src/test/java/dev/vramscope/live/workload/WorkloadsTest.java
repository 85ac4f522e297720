package dev.vramscope.live.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.live.AllocatorGoneException;
import dev.vramscope.live.FailureSnapshot;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedOnSim;
import dev.vramscope.live.HostingRefusedException;
import dev.vramscope.live.Incident;
import dev.vramscope.live.TracePosition;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.StoreFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

class WorkloadsTest {
  private static final WorkloadRequest ENDLESS =
      WorkloadRequest.of(WorkloadKind.CROSS_STREAM, 0).withScale(0.02);

  private final HostedOnSim service = new HostedOnSim();
  private final HostedAllocator hosted = service.caching(4096 * Bench.MIB);
  private final Map<String, Snapshot> stored = new ConcurrentHashMap<>();
  private final RunHistory history;
  private final Workloads workloads;

  WorkloadsTest(@TempDir Path folder) {
    history = new RunHistory(StoreFixture.files(folder, DataSize.ofBytes(0)));
    workloads = new Workloads(id -> Optional.ofNullable(stored.get(id)), history);
  }

  @Test
  void everyWorkloadRunsOnAHostedAllocator() {
    for (WorkloadKind kind : WorkloadKind.values()) {
      if (kind != WorkloadKind.REPLAY_SNAPSHOT) {
        WorkloadRun run = workloads.start(hosted, WorkloadRequest.of(kind, 5).withScale(0.02));
        assertTrue(run.awaitEnd(Duration.ofSeconds(60)));
        assertEquals(new WorkloadState.Done(), run.progress().state());
      }
    }
    assertEquals(WorkloadKind.values().length - 1, workloads.runs(hosted).size());
    assertEquals(0, hosted.allocator().inspect().totals().allocatedCount());
  }

  @Test
  void concurrentRunsHaveNoMismatch() {
    List<WorkloadRun> runs = new ArrayList<>();
    for (WorkloadKind kind :
        List.of(
            WorkloadKind.TRAINING_VARYING,
            WorkloadKind.INFERENCE_KV_CACHE,
            WorkloadKind.CROSS_STREAM,
            WorkloadKind.FRAGMENTER)) {
      runs.add(workloads.start(hosted, WorkloadRequest.of(kind, 15).withScale(0.02)));
    }
    for (WorkloadRun run : runs) {
      assertTrue(run.awaitEnd(Duration.ofSeconds(60)));
      assertEquals(new WorkloadState.Done(), run.progress().state());
      assertEquals(0, run.progress().contents().mismatches());
    }
    hosted.allocator().inspect().checkInvariants();
    assertEquals(0, hosted.allocator().inspect().totals().allocatedBytes());
    hosted.allocator().emptyCache();
    assertEquals(0, hosted.allocator().inspect().totals().reservedBytes());
  }

  @Test
  void findsRunByIdAndStopsIt() {
    WorkloadRun run = workloads.start(hosted, ENDLESS);
    assertEquals(run, workloads.find(hosted, run.id()).orElseThrow());
    assertThat(workloads.find(hosted, run.id() + 1)).isEmpty();
    run.stop();
    assertEquals(new WorkloadState.Stopped(), run.progress().state());
    assertEquals(List.of(run), workloads.runs(hosted));
  }

  @Test
  void closingTheAllocatorStopsAndRemovesItsRuns() {
    WorkloadRun run = workloads.start(hosted, ENDLESS);
    service.allocators().close(hosted.id());
    assertThat(run.progress().state().isRunning()).isFalse();
    assertThat(workloads.runs(hosted)).isEmpty();
    assertEquals(0, hosted.allocator().inspect().totals().reservedBytes());
    assertThrows(AllocatorGoneException.class, () -> workloads.start(hosted, ENDLESS));
  }

  @Test
  void replaysStoredSnapshot() {
    workloads
        .start(hosted, WorkloadRequest.of(WorkloadKind.TRAINING_FIXED, 2).withScale(0.02))
        .awaitEnd(Duration.ofSeconds(60));
    stored.put("abc", hosted.recorder().snapshot());
    WorkloadRun run =
        workloads.start(service.caching(4096 * Bench.MIB), WorkloadRequest.replaying("abc"));
    assertTrue(run.awaitEnd(Duration.ofSeconds(60)));
    assertThat(run.progress().verdict()).isInstanceOf(MemoryVerdict.Fits.class);
    assertEquals(run.progress().stepCount(), run.progress().steps());
  }

  @Test
  void eachFailingRunHasItsOwnSnapshotAlsoWithinTheInterval() {
    HostedOnSim limited = HostedOnSim.withInterval(Duration.ofHours(1));
    HostedAllocator small = limited.caching(100 * Bench.MIB);
    WorkloadRequest leak = WorkloadRequest.of(WorkloadKind.LEAK, 0);
    List<Incident> incidents = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      WorkloadRun run = workloads.start(small, leak);
      assertTrue(run.awaitEnd(Duration.ofSeconds(60)));
      Incident incident = Objects.requireNonNull(run.incident());
      assertEquals(run.id(), incident.source().run());
      incidents.add(incident);
    }
    assertThat(incidents)
        .allSatisfy(
            incident -> assertThat(incident.snapshot()).isInstanceOf(FailureSnapshot.Stored.class));
    assertThat(incidents.stream().map(each -> each.snapshot().tracePosition().orElseThrow()))
        .extracting(TracePosition::snapshot, TracePosition::oom)
        .containsExactly(tuple("snapshot-1", 0), tuple("snapshot-2", 1));

    // The step fails, is repeated with an empty cache, and the second failure ends the run.
    WorkloadRun repeating = workloads.start(small, leak.withRetryAfterOom());
    assertTrue(repeating.awaitEnd(Duration.ofSeconds(60)));
    assertEquals(2, repeating.progress().ooms());
    assertThat(Objects.requireNonNull(repeating.incident()).snapshot().tracePosition())
        .hasValueSatisfying(position -> assertThat(position.snapshot()).isEqualTo("snapshot-4"));
    assertThat(history.latest())
        .extracting(EndedRun::state, run -> Objects.requireNonNull(run.postMortem()).snapshot())
        .containsExactly(
            tuple("failed", "snapshot-4"),
            tuple("failed", "snapshot-2"),
            tuple("failed", "snapshot-1"));
  }

  @Test
  void rejectsUnknownSnapshot() {
    assertThat(
            assertThrows(
                IllegalArgumentException.class,
                () -> workloads.start(hosted, WorkloadRequest.replaying("nothing"))))
        .hasMessageContaining("'nothing'");
  }

  @Test
  void limitsRunsPerAllocator() {
    List<WorkloadRun> runs = new ArrayList<>();
    WorkloadRequest slow = ENDLESS.withOperationsPerSecond(10);
    for (int i = 0; i < 16; i++) {
      runs.add(workloads.start(hosted, slow));
    }
    assertThrows(HostingRefusedException.class, () -> workloads.start(hosted, slow));
    runs.removeFirst().stop();
    runs.add(workloads.start(hosted, slow));
    runs.forEach(WorkloadRun::stop);
    assertEquals(17, workloads.runs(hosted).size());
  }
}
