package dev.vramscope.live.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.recorder.HistorySettings;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TraceReplayWorkloadTest {
  private static final long MIB = Bench.MIB;
  private static final long DEVICE_BYTES = 2048 * MIB;
  private static final WorkloadRequest REQUEST = WorkloadRequest.replaying("some id");

  @Test
  void completeTraceReachesTheOriginalPeak() {
    Bench original = Bench.of(Bench.Kind.CACHING, DEVICE_BYTES, HistorySettings.all());
    Snapshot snapshot = snapshotOf(original, WorkloadKind.TRAINING_VARYING, 4);
    Bench bench = Bench.of(Bench.Kind.CACHING, DEVICE_BYTES);
    WorkloadProgress progress = replay(bench, snapshot, REQUEST);
    assertEquals(new WorkloadState.Done(), progress.state());
    assertEquals(0, progress.contents().mismatches());
    long peak = original.allocator().inspect().totals().peakAllocatedBytes();
    assertThat(peak).isPositive();
    assertEquals(peak, bench.allocator().inspect().totals().peakAllocatedBytes());
    MemoryVerdict.Fits verdict = (MemoryVerdict.Fits) progress.verdict();
    assertNotNull(verdict);
    assertEquals(peak, verdict.peakAllocatedBytes());
    assertEquals(snapshot.devices().getFirst().trace().size(), verdict.eventCount());
    assertEquals(0, verdict.initialBlockCount());
    assertEquals(0, bench.allocator().inspect().totals().allocatedCount());
  }

  @Test
  void allocatesInitialBlocksFirst() {
    Bench original =
        Bench.of(Bench.Kind.CACHING, DEVICE_BYTES, HistorySettings.all().withMaxEvents(1000));
    Snapshot snapshot = snapshotOf(original, WorkloadKind.INFERENCE_KV_CACHE, 40);
    DeviceSnapshot device = snapshot.devices().getFirst();
    assertThat(snapshot.findings()).anyMatch(finding -> finding.code().equals("ring-wrapped"));
    Bench bench = Bench.of(Bench.Kind.CACHING, DEVICE_BYTES);
    WorkloadProgress progress = replay(bench, snapshot, REQUEST);
    assertEquals(new WorkloadState.Done(), progress.state());
    assertEquals(peakRequestedBytes(device), progress.peakBytes());
    assertThat(progress.verdict())
        .isInstanceOfSatisfying(
            MemoryVerdict.Fits.class,
            fits -> assertThat(fits.initialBlockCount()).isGreaterThan(12));
  }

  /** Computed backwards from the final state. */
  private static long peakRequestedBytes(DeviceSnapshot device) {
    long bytes =
        device.segments().stream()
            .flatMap(segment -> segment.blocks().stream())
            .filter(Block::isActive)
            .mapToLong(Block::requestedBytes)
            .sum();
    long peak = bytes;
    Trace trace = device.trace();
    for (int event = trace.size() - 1; event >= 0; event--) {
      if (trace.action(event) == TraceAction.ALLOC) {
        bytes -= trace.bytes(event);
      } else if (trace.action(event) == TraceAction.FREE_REQUESTED) {
        bytes += trace.bytes(event);
      }
      peak = Math.max(peak, bytes);
    }
    return peak;
  }

  @Test
  void verdictNamesTheFailedEventAndRequest() {
    Snapshot snapshot =
        snapshot(
            trace -> {
              alloc(trace, 0x1000, 30 * MIB);
              alloc(trace, 0x2000, 30 * MIB);
              free(trace, 0x1000, 30 * MIB);
              alloc(trace, 0x3000, 80 * MIB);
              alloc(trace, 0x4000, 2 * MIB);
            });
    Bench small = Bench.of(Bench.Kind.CACHING, 100 * MIB);
    WorkloadProgress progress = replay(small, snapshot, REQUEST.withRetryAfterOom());
    assertEquals(new MemoryVerdict.DoesNotFit(4, 6, 80 * MIB, 0), progress.verdict());
    assertThat(progress.state())
        .isInstanceOfSatisfying(
            WorkloadState.Failed.class,
            failed -> assertThat(failed.reason()).contains("At event 4 of 6", "83886080 bytes"));
    assertEquals(2, progress.ooms());
    assertEquals(0, small.allocator().inspect().totals().allocatedCount());
    assertThat(replay(small, snapshot, REQUEST.withScale(0.5)).verdict())
        .isInstanceOf(MemoryVerdict.Fits.class);
    assertThat(replay(Bench.of(Bench.Kind.DIRECT, 120 * MIB), snapshot, REQUEST).verdict())
        .isInstanceOf(MemoryVerdict.Fits.class);
  }

  @Test
  void initialBlocksThatDoNotFitFailBeforeTheFirstEvent() {
    Snapshot snapshot =
        snapshot(
            trace -> {
              free(trace, 0x1000, 70 * MIB);
              free(trace, 0x2000, 50 * MIB);
            });
    WorkloadProgress progress = replay(Bench.of(Bench.Kind.BFC, 100 * MIB), snapshot, REQUEST);
    assertEquals(
        new MemoryVerdict.DoesNotFit(MemoryVerdict.DoesNotFit.BEFORE_FIRST_EVENT, 4, 50 * MIB, 0),
        progress.verdict());
  }

  @Test
  void freeInSegmentAcquiredDuringTheTraceIsNotAnInitialBlock() {
    Snapshot snapshot =
        snapshot(
            trace -> {
              trace.add(TraceAction.SEGMENT_ALLOC, 0x10000000, 100 * MIB);
              free(trace, 0x10000000, 70 * MIB);
              free(trace, 0x1000, 50 * MIB);
            });
    WorkloadProgress progress = replay(Bench.of(Bench.Kind.DIRECT, 100 * MIB), snapshot, REQUEST);
    assertEquals(new MemoryVerdict.Fits(5, 1, 50 * MIB, 50 * MIB), progress.verdict());
  }

  @Test
  void repeatsRequestThatFailedInTheOriginal() {
    Snapshot snapshot =
        snapshot(
            trace -> {
              alloc(trace, 0x1000, 30 * MIB);
              int row = trace.add(TraceAction.OOM, 0, 90 * MIB);
              trace.oom(row, 90 * MIB, 1);
            });
    WorkloadProgress fails = replay(Bench.of(Bench.Kind.DIRECT, 100 * MIB), snapshot, REQUEST);
    assertEquals(new MemoryVerdict.DoesNotFit(1, 2, 90 * MIB, 0), fails.verdict());
    WorkloadProgress fits = replay(Bench.of(Bench.Kind.DIRECT, 200 * MIB), snapshot, REQUEST);
    assertEquals(new MemoryVerdict.Fits(2, 0, 120 * MIB, 120 * MIB), fits.verdict());
  }

  @Test
  void delayedFreeKeepsItsMemoryUntilCompletion() {
    Snapshot snapshot =
        snapshot(
            trace -> {
              alloc(trace, 0x1000, 30 * MIB);
              trace.add(TraceAction.FREE_REQUESTED, 0x1000, 30 * MIB);
              alloc(trace, 0x2000, 40 * MIB);
              trace.add(TraceAction.FREE_COMPLETED, 0x1000, 30 * MIB);
              alloc(trace, 0x3000, 40 * MIB);
            });
    WorkloadProgress progress = replay(Bench.of(Bench.Kind.DIRECT, 200 * MIB), snapshot, REQUEST);
    assertEquals(80 * MIB, progress.peakBytes());
    WorkloadProgress small = replay(Bench.of(Bench.Kind.DIRECT, 60 * MIB), snapshot, REQUEST);
    assertEquals(new MemoryVerdict.DoesNotFit(2, 5, 40 * MIB, 0), small.verdict());
  }

  @Test
  void traceWithoutCompletionsFreesOnRequest() {
    Snapshot snapshot =
        snapshot(
            trace -> {
              alloc(trace, 0x1000, 30 * MIB);
              trace.add(TraceAction.FREE_REQUESTED, 0x1000, 30 * MIB);
              alloc(trace, 0x1000, 40 * MIB);
            });
    assertEquals(
        40 * MIB, replay(Bench.of(Bench.Kind.DIRECT, 200 * MIB), snapshot, REQUEST).peakBytes());
  }

  @Test
  void streamsAndPrivatePoolsStaySeparate() {
    Snapshot snapshot =
        snapshot(
            trace -> {
              alloc(trace, 0x1000, 30 * MIB);
              trace.stream(alloc(trace, 0x2000, 30 * MIB), 0x7f00);
              trace.pool(alloc(trace, 0x3000, 30 * MIB), new PoolId(5, 0));
              trace.pool(alloc(trace, 0x4000, 30 * MIB), new PoolId(5, 0));
            });
    Bench bench = Bench.of(Bench.Kind.CACHING, 400 * MIB);
    Set<Integer> streams = new HashSet<>();
    Set<Integer> pools = new HashSet<>();
    bench
        .allocator()
        .inspect()
        .addListener(
            new AllocatorListener() {
              @Override
              public void event(
                  TraceAction action, long address, long bytes, int stream, int pool) {
                if (action == TraceAction.ALLOC) {
                  streams.add(stream);
                  pools.add(pool);
                }
              }

              @Override
              public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {}
            });
    assertEquals(new WorkloadState.Done(), replay(bench, snapshot, REQUEST).state());
    assertEquals(2, streams.size());
    assertEquals(2, pools.size());
    bench.allocator().emptyCache();
    assertEquals(0, bench.usedBytes(), "the private pool was released");
    assertNotNull(replay(Bench.of(Bench.Kind.BFC, 400 * MIB), snapshot, REQUEST).verdict());
  }

  @Test
  void stoppedReplayHasNoVerdict() {
    Snapshot snapshot = snapshot(trace -> alloc(trace, alloc(trace, 0x1000, MIB), MIB));
    WorkloadRequest oneStep =
        new WorkloadRequest("replay-snapshot", 1, 1, 1, 0, true, false, "some id");
    WorkloadProgress progress = replay(Bench.of(Bench.Kind.DIRECT, 4 * MIB), snapshot, oneStep);
    assertEquals(new WorkloadState.Done(), progress.state());
    assertNull(progress.verdict());
  }

  @Test
  void rejectsEmptySnapshot() {
    Snapshot nothing = snapshot(List.of());
    Bench bench = Bench.of(Bench.Kind.DIRECT, MIB);
    assertThrows(
        IllegalArgumentException.class, () -> TraceReplayWorkload.of(nothing, bench.target(), 1));
  }

  private static WorkloadProgress replay(Bench bench, Snapshot snapshot, WorkloadRequest request) {
    return bench.run(TraceReplayWorkload.of(snapshot, bench.target(), 1), request);
  }

  /** The snapshot that the recorder takes during a workload. */
  private static Snapshot snapshotOf(Bench bench, WorkloadKind kind, int steps) {
    Workload workload =
        kind == WorkloadKind.INFERENCE_KV_CACHE
            ? new KeyValueCacheInference()
            : new Training(/* varying= */ true);
    Snapshot[] taken = new Snapshot[1];
    bench.run(
        context -> {
          for (int i = 0; i < steps; i++) {
            workload.step(context);
          }
          taken[0] = bench.target().recorder().snapshot();
        },
        WorkloadRequest.of(kind, 1).withScale(0.02));
    return taken[0];
  }

  @FunctionalInterface
  private interface Events {
    void addTo(Trace.Builder trace);
  }

  private static int alloc(Trace.Builder trace, long address, long bytes) {
    return trace.add(TraceAction.ALLOC, address, bytes);
  }

  private static void free(Trace.Builder trace, long address, long bytes) {
    trace.add(TraceAction.FREE_REQUESTED, address, bytes);
    trace.add(TraceAction.FREE_COMPLETED, address, bytes);
  }

  private static Snapshot snapshot(Events events) {
    Trace.Builder trace = new Trace.Builder();
    events.addTo(trace);
    return snapshot(List.of(new DeviceSnapshot(0, List.of(), trace.build(), List.of())));
  }

  private static Snapshot snapshot(List<DeviceSnapshot> devices) {
    return new Snapshot(
        new Origin("test", "test", 0), Optional.empty(), devices, StackTable.EMPTY, List.of());
  }
}
