package dev.vramscope.live.workload;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.device.DeviceLostException;
import dev.vramscope.live.FailureMessage;
import dev.vramscope.live.Incident;
import dev.vramscope.live.RequestSource;
import dev.vramscope.recorder.RecordedScope;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One execution of a workload on an allocator. Thread-safe. */
public final class WorkloadRun {
  private static final Logger LOG = LoggerFactory.getLogger(WorkloadRun.class);

  /**
   * Longer than the longest operation, and than a BFC allocator waits for frees of other threads.
   */
  private static final Duration MAX_STOP_TIME = Duration.ofSeconds(15);

  private final long id;
  private final WorkloadTarget target;
  private final WorkloadRequest request;
  private final Workload workload;
  private final StreamPool streams;
  private final Pacer pacer;
  private final RunCounters counters = new RunCounters();
  private final StopSignal stop = new StopSignal();
  private final CoreShare.Turn turn;
  private final Thread thread;
  private volatile WorkloadState state = new WorkloadState.Running();
  private volatile @Nullable MemoryVerdict verdict;
  private volatile boolean partialChecks;
  private volatile @Nullable Incident incident;

  /**
   * Creates a run that is not started.
   *
   * @param whenEnded is called once, when the thread of the run ends
   */
  WorkloadRun(
      long id,
      WorkloadTarget target,
      WorkloadRequest request,
      Workload workload,
      StreamPool streams,
      Pacer pacer,
      CoreShare cores,
      Runnable whenEnded) {
    this.id = id;
    this.target = target;
    this.request = request;
    this.workload = workload;
    this.streams = streams;
    this.pacer = pacer;
    turn = cores.turn(stop::isRaised);
    thread =
        Thread.ofPlatform()
            .name("workload-" + id + "-" + request.workload())
            .daemon()
            .unstarted(
                () -> {
                  try {
                    RequestSource.ofRun(id).run(this::run);
                  } finally {
                    turn.release();
                    whenEnded.run();
                  }
                });
  }

  /** Starts the run, unless it was stopped before: its device may already be closed. */
  void start() {
    synchronized (stop) {
      if (stop.isRaised()) {
        state = new WorkloadState.Stopped();
      } else {
        thread.start();
      }
    }
  }

  public long id() {
    return id;
  }

  public WorkloadRequest request() {
    return request;
  }

  public WorkloadProgress progress() {
    // Reads the state first, so that the counters are not older than the state.
    WorkloadState current = state;
    return counters.progress(current, lastStep(), verdict, turn.waitedNanos());
  }

  /**
   * Whether checks compare only both ends of a block: the driver calls that work without kernels.
   */
  public boolean partialChecks() {
    return partialChecks;
  }

  /** The incident of the failed request that ended the run, or null. */
  public @Nullable Incident incident() {
    return incident;
  }

  /** Stops the run if it has not ended, and waits until none of its blocks is allocated. */
  public void stop() {
    if (requestStop()) {
      awaitEnd(MAX_STOP_TIME);
    }
  }

  /** Lets the run end, without waiting for it. Returns whether it was started. */
  boolean requestStop() {
    synchronized (stop) {
      stop.raise();
      if (thread.getState() == Thread.State.NEW) {
        return false;
      }
    }
    LockSupport.unpark(thread);
    return true;
  }

  /** Waits for the end of the run, up to this time. Returns whether it has ended. */
  boolean awaitEnd(Duration atMost) {
    try {
      thread.join(atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  private void run() {
    WorkloadState end;
    try {
      end = work();
    } catch (StopSignal.Raised stopped) {
      end =
          stopped.getSuppressed().length == 0
              ? new WorkloadState.Stopped()
              : failed(stopped.getSuppressed()[0]);
    } catch (OutOfDeviceMemoryException full) {
      incident = target.incidentOf().apply(full).orElse(null);
      end = new WorkloadState.Failed("Step " + counters.steps() + ": " + FailureMessage.of(full));
    } catch (DeviceLostException lost) {
      target.onLoss().accept(lost);
      end = new WorkloadState.Failed("Step " + counters.steps() + ": " + lost.getMessage());
    } catch (RuntimeException | Error failure) {
      end = failed(failure);
    }
    verdict = workload.verdict();
    state = end;
  }

  private WorkloadState failed(Throwable failure) {
    LOG.warn("Workload {} of run {} failed in step {}", request, id, counters.steps(), failure);
    return new WorkloadState.Failed("Step " + counters.steps() + ": " + FailureMessage.of(failure));
  }

  private WorkloadState work() {
    // Closed in reverse order: the workload is closed after its blocks are freed.
    try (workload;
        WorkloadContext context =
            new WorkloadContext(target, request, counters, stop, streams, pacer, turn);
        RecordedScope _ = context.scope(request.workload())) {
      partialChecks = request.verify() && !target.device().work().checksEveryByte();
      long last = lastStep();
      while (!stop.isRaised() && (last == 0 || counters.steps() < last)) {
        step(context);
        counters.step();
      }
      return stop.isRaised() ? new WorkloadState.Stopped() : new WorkloadState.Done();
    }
  }

  /** The number of steps to execute; 0 if unlimited. */
  private long lastStep() {
    long requested = request.steps();
    long available = workload.stepCount();
    return requested == 0 || available == 0
        ? Math.max(requested, available)
        : Math.min(requested, available);
  }

  private void step(WorkloadContext context) {
    try {
      workload.step(context);
      return;
    } catch (OutOfDeviceMemoryException full) {
      counters.oom();
      if (!request.retryAfterOom()) {
        throw full;
      }
    }
    target.allocator().emptyCache();
    try {
      RequestSource.ofRun(id).repeated().run(() -> workload.step(context));
      counters.oomRecovered();
    } catch (OutOfDeviceMemoryException again) {
      counters.oom();
      throw again;
    }
  }
}
