package dev.vramscope.live.workload;

import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostingRefusedException;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.SnapshotStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The runs of all hosted allocators. Those of an allocator end when it is closed. Safe for use by
 * several threads.
 */
@Component
public final class Workloads {
  private static final int MOST_RUNNING = 16;
  private static final int MOST_ENDED = 100;

  /** The runs of one allocator, oldest first, and the streams that they share. */
  private record Runs(List<WorkloadRun> list, StreamPool streams) {}

  private final Function<String, Optional<Snapshot>> snapshots;
  private final Map<Long, Runs> byAllocator = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();

  @Autowired
  Workloads(SnapshotStore store) {
    this(store::load);
  }

  /** Runs that find snapshots by id. */
  Workloads(Function<String, Optional<Snapshot>> snapshots) {
    this.snapshots = snapshots;
  }

  /**
   * Starts a run.
   *
   * @throws InvalidWorkloadException if the snapshot to re-enact is not stored
   * @throws HostingRefusedException if the allocator has as many runs as it may have
   * @throws dev.vramscope.live.AllocatorGoneException if the allocator is closed or lost
   */
  public WorkloadRun start(HostedAllocator hosted, WorkloadRequest request) {
    WorkloadTarget target = WorkloadTarget.of(hosted);
    long id = lastId.incrementAndGet();
    Workload workload = workload(id, target, request);
    Runs runs = runsOf(hosted);
    synchronized (runs) {
      makeRoom(runs.list());
      Ending ending = new Ending(hosted);
      WorkloadRun run =
          new WorkloadRun(id, target, request, workload, runs.streams(), ending::forget);
      ending.of(run);
      runs.list().add(run);
      run.start();
      return run;
    }
  }

  /** How a run ends with its allocator, known to the allocator while the run works. */
  private static final class Ending {
    private final HostedAllocator hosted;
    private Runnable stop = () -> {};

    Ending(HostedAllocator hosted) {
      this.hosted = hosted;
    }

    void of(WorkloadRun run) {
      stop = run::stop;
      hosted.onClose(stop);
    }

    void forget() {
      hosted.forgetOnClose(stop);
    }
  }

  /** The runs of an allocator, oldest first; of the ended ones, the latest. */
  public List<WorkloadRun> runs(HostedAllocator hosted) {
    Runs runs = byAllocator.get(hosted.id());
    if (runs == null) {
      return List.of();
    }
    synchronized (runs) {
      return List.copyOf(runs.list());
    }
  }

  /** A run of an allocator by its number. */
  public Optional<WorkloadRun> find(HostedAllocator hosted, long id) {
    return runs(hosted).stream().filter(run -> run.id() == id).findFirst();
  }

  private Runs runsOf(HostedAllocator hosted) {
    return byAllocator.computeIfAbsent(
        hosted.id(),
        id -> {
          hosted.onClose(() -> byAllocator.remove(id));
          return new Runs(new ArrayList<>(), new StreamPool(hosted.device().streams()));
        });
  }

  private static void makeRoom(List<WorkloadRun> runs) {
    List<WorkloadRun> ended =
        runs.stream().filter(run -> !run.progress().state().isRunning()).toList();
    if (runs.size() - ended.size() >= MOST_RUNNING) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.LIMIT,
          MOST_RUNNING + " workloads run on this allocator already",
          "workload",
          "Stop one of them first.");
    }
    runs.removeAll(ended.subList(0, Math.max(0, ended.size() - MOST_ENDED)));
  }

  private Workload workload(long run, WorkloadTarget target, WorkloadRequest request) {
    return switch (request.kind()) {
      case TRAINING_FIXED -> new Training(/* varying= */ false);
      case TRAINING_VARYING -> new Training(/* varying= */ true);
      case INFERENCE_KV_CACHE -> new KeyValueCacheInference();
      case LEAK -> new Leak();
      case CROSS_STREAM -> new Pipeline(/* recorded= */ true);
      case CROSS_STREAM_UNRECORDED -> new Pipeline(/* recorded= */ false);
      case INPUT_PIPELINE -> new InputPipeline();
      case FRAGMENTER -> new Fragmenter();
      case REPLAY_SNAPSHOT -> traceReplay(run, target, Objects.requireNonNull(request.snapshot()));
    };
  }

  private Workload traceReplay(long run, WorkloadTarget target, String id) {
    Snapshot snapshot =
        snapshots
            .apply(id)
            .orElseThrow(
                () ->
                    new InvalidWorkloadException(
                        "snapshot",
                        "There is no stored snapshot '"
                            + id
                            + "' to re-enact; upload it, or take one of an allocator."));
    return TraceReplayWorkload.of(snapshot, target, run);
  }
}
