package dev.vramscope.live.workload;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.device.DeviceLostException;
import dev.vramscope.live.FailureText;
import dev.vramscope.recorder.Scope;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A workload at work on one allocator. Safe for use by several threads. */
public final class WorkloadRun {
  private static final Logger LOG = LoggerFactory.getLogger(WorkloadRun.class);

  /** Longer than any piece of work takes, and than a BFC allocator waits for others' frees. */
  private static final Duration LONGEST_END = Duration.ofSeconds(15);

  private final long id;
  private final WorkloadTarget target;
  private final WorkloadRequest request;
  private final Workload workload;
  private final StreamPool streams;
  private final RunCounters counters = new RunCounters();
  private final StopSignal stop = new StopSignal();
  private final Thread thread;
  private volatile WorkloadState state = new WorkloadState.Running();
  private volatile @Nullable MemoryVerdict verdict;
  private volatile boolean partialChecks;

  /**
   * A run that does not work yet.
   *
   * @param whenEnded is called once, at the end of the run's thread
   */
  WorkloadRun(
      long id,
      WorkloadTarget target,
      WorkloadRequest request,
      Workload workload,
      StreamPool streams,
      Runnable whenEnded) {
    this.id = id;
    this.target = target;
    this.request = request;
    this.workload = workload;
    this.streams = streams;
    thread =
        Thread.ofPlatform()
            .name("workload-" + id + "-" + request.workload())
            .daemon()
            .unstarted(
                () -> {
                  try {
                    run();
                  } finally {
                    whenEnded.run();
                  }
                });
  }

  /** Begins to work, unless it was stopped before that: then its card may be closed already. */
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
    // The state first: whatever state is seen, the counts are not older.
    WorkloadState seen = state;
    return counters.progress(seen, lastStep(), verdict);
  }

  /** Whether its checks look at both ends of a block only: what the driver can do alone. */
  public boolean partialChecks() {
    return partialChecks;
  }

  /** Ends the run, if it has not ended, and waits until nothing of it is allocated. */
  public void stop() {
    synchronized (stop) {
      stop.raise();
      if (thread.getState() == Thread.State.NEW) {
        return;
      }
    }
    LockSupport.unpark(thread);
    awaitEnd(LONGEST_END);
  }

  /** Waits for the run's end, but no longer than this; whether it has ended. */
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
      end = new WorkloadState.Failed("Step " + counters.steps() + ": " + full.getMessage());
    } catch (DeviceLostException lost) {
      target.loss().accept(lost);
      end = new WorkloadState.Failed("Step " + counters.steps() + ": " + lost.getMessage());
    } catch (RuntimeException | Error failure) {
      end = failed(failure);
    }
    verdict = workload.verdict();
    state = end;
  }

  private WorkloadState failed(Throwable failure) {
    LOG.warn("Workload {} of run {} failed in step {}", request, id, counters.steps(), failure);
    return new WorkloadState.Failed("Step " + counters.steps() + ": " + FailureText.of(failure));
  }

  private WorkloadState work() {
    // Closed from right to left: the workload leaves when its blocks are freed.
    try (workload;
        WorkloadContext context = new WorkloadContext(target, request, counters, stop, streams);
        Scope _ = context.scope(request.workload())) {
      partialChecks = request.verify() && !target.device().work().isComplete();
      long last = lastStep();
      while (!stop.isRaised() && (last == 0 || counters.steps() < last)) {
        step(context);
        counters.step();
      }
      return stop.isRaised() ? new WorkloadState.Stopped() : new WorkloadState.Done();
    }
  }

  /** How many steps are to be done; 0 for no end. */
  private long lastStep() {
    long wanted = request.steps();
    long there = workload.stepCount();
    return wanted == 0 || there == 0 ? Math.max(wanted, there) : Math.min(wanted, there);
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
      workload.step(context);
      counters.oomRecovered();
    } catch (OutOfDeviceMemoryException again) {
      counters.oom();
      throw again;
    }
  }
}
