package dev.vramscope.live.workload;

import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostingRefusedException;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.SnapshotStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The runs of all hosted allocators. They are stopped when their allocator is closed. Thread-safe.
 */
@Component
public final class Workloads implements SmartLifecycle {
  private static final int MAX_RUNNING = 16;
  private static final int MAX_ENDED = 100;

  /** The runs of one allocator, oldest first, and the streams they share. */
  private record Runs(List<WorkloadRun> list, StreamPool streams) {}

  private final Function<String, Optional<Snapshot>> snapshots;
  private final RunHistory history;
  private final Map<Long, Runs> byAllocator = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();
  private final CoreShare cores = CoreShare.ofMachine();
  private volatile boolean accepting = true;

  @Autowired
  Workloads(SnapshotStore store, RunHistory history) {
    this(store::load, history);
  }

  /** Creates the runs with a lookup of snapshots by id. */
  Workloads(Function<String, Optional<Snapshot>> snapshots, RunHistory history) {
    this.snapshots = snapshots;
    this.history = history;
  }

  /**
   * Starts a run.
   *
   * @throws InvalidWorkloadException if the snapshot to replay is not stored
   * @throws HostingRefusedException if the maximum number of runs is active
   * @throws dev.vramscope.live.AllocatorGoneException if the allocator is closed or lost
   */
  public WorkloadRun start(HostedAllocator hosted, WorkloadRequest request) {
    WorkloadTarget target = WorkloadTarget.of(hosted);
    long id = lastId.incrementAndGet();
    Workload workload = workload(id, target, request);
    Runs runs = runsOf(hosted);
    synchronized (runs) {
      requireCapacity(runs.list());
      RunRecord record = new RunRecord(hosted, history);
      WorkloadRun run =
          new WorkloadRun(
              id,
              target,
              request,
              workload,
              runs.streams(),
              new Pacer(request.operationsPerSecond()),
              cores,
              record::end);
      record.begin(run);
      runs.list().add(run);
      if (!accepting) {
        run.requestStop(); // The server stops: the run ends before its first step.
      }
      run.start();
      return run;
    }
  }

  /**
   * A run's entry in the history, and its stop when the allocator is closed, while it is active.
   */
  private static final class RunRecord {
    private final HostedAllocator hosted;
    private final RunHistory history;
    private final Instant started = Instant.now();
    private @Nullable WorkloadRun run;
    private Runnable stop = () -> {};

    RunRecord(HostedAllocator hosted, RunHistory history) {
      this.hosted = hosted;
      this.history = history;
    }

    void begin(WorkloadRun starting) {
      run = starting;
      stop = starting::stop;
      hosted.onClose(stop);
      history.put(EndedRun.of(hosted, starting, started, started));
    }

    /** Called by the thread of the run, which is started after {@link #begin}. */
    void end() {
      hosted.removeOnClose(stop);
      if (run != null) {
        history.put(EndedRun.of(hosted, run, started, Instant.now()));
      }
    }
  }

  /** The runs of an allocator, oldest first, including the latest ended ones. */
  public List<WorkloadRun> runs(HostedAllocator hosted) {
    Runs runs = byAllocator.get(hosted.id());
    if (runs == null) {
      return List.of();
    }
    synchronized (runs) {
      return List.copyOf(runs.list());
    }
  }

  /** Returns a run of an allocator by its id. */
  public Optional<WorkloadRun> find(HostedAllocator hosted, long id) {
    return runs(hosted).stream().filter(run -> run.id() == id).findFirst();
  }

  @Override
  public void start() {
    accepting = true;
  }

  /** Lets all runs end while the server stops, before their allocators are closed. */
  @Override
  public void stop() {
    accepting = false;
    for (Runs runs : byAllocator.values()) {
      synchronized (runs) {
        runs.list().forEach(WorkloadRun::requestStop);
      }
    }
  }

  @Override
  public boolean isRunning() {
    return accepting;
  }

  private Runs runsOf(HostedAllocator hosted) {
    return byAllocator.computeIfAbsent(
        hosted.id(),
        id -> {
          hosted.onClose(() -> byAllocator.remove(id));
          return new Runs(new ArrayList<>(), new StreamPool(hosted.device().streams()));
        });
  }

  private static void requireCapacity(List<WorkloadRun> runs) {
    List<WorkloadRun> ended =
        runs.stream().filter(run -> !run.progress().state().isRunning()).toList();
    if (runs.size() - ended.size() >= MAX_RUNNING) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.LIMIT,
          MAX_RUNNING + " workloads are already running on this allocator",
          "workload",
          "Stop one of them first.");
    }
    runs.removeAll(ended.subList(0, Math.max(0, ended.size() - MAX_ENDED)));
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
                            + "' to replay; upload it, or store one of a hosted allocator."));
    return TraceReplayWorkload.of(snapshot, target, run);
  }
}
