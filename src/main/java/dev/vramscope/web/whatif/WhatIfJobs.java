package dev.vramscope.web.whatif;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Requesters;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.ReplayLimitException;
import dev.vramscope.whatif.ReplayLimits;
import dev.vramscope.whatif.replays.KnownReplays;
import dev.vramscope.whatif.replays.WhatIf;
import dev.vramscope.whatif.replays.WhatIfRow;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkCancelledException;
import dev.vramscope.work.WorkKind;
import jakarta.annotation.PreDestroy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Replays of stored recordings, which take turns with other work. Results are stored with the
 * snapshot, so that the same replay is not run twice. Thread-safe.
 */
@Component
public final class WhatIfJobs {
  private static final Logger LOG = LoggerFactory.getLogger(WhatIfJobs.class);
  private static final int MAX_RUNNING = 32;
  private static final int MAX_RUNNING_OF_CLIENT = MAX_RUNNING / 2;
  private static final int MAX_KEPT = 256;

  private final StoredReplays stored;
  private final SnapshotCache snapshots;
  private final HeavyWork work;

  /** The latest jobs by snapshot and id, oldest first. Guarded by this. */
  private final Map<String, WhatIfJob> jobs = new LinkedHashMap<>();

  WhatIfJobs(StoredReplays stored, SnapshotCache snapshots, HeavyWork work) {
    this.stored = stored;
    this.snapshots = snapshots;
    this.work = work;
  }

  /**
   * Starts the replays of a plan whose results are not known; joins them if they run already.
   *
   * @throws RefusedRequestException if too many jobs wait
   */
  WhatIfJob start(WhatIfPlan plan) {
    WhatIfJob candidate = jobOf(plan);
    if (!candidate.isRunning()) {
      return candidate;
    }
    WhatIfJob job;
    synchronized (this) {
      WhatIfJob running = jobs.get(key(plan.snapshot(), plan.id()));
      if (running != null && running.isRunning()) {
        return running;
      }
      requirePlace(candidate.client());
      job = candidate;
      jobs.remove(key(plan.snapshot(), plan.id()));
      jobs.put(key(plan.snapshot(), plan.id()), job);
      jobs.values().stream()
          .filter(each -> !each.isRunning())
          .findFirst()
          .filter(_ -> jobs.size() > MAX_KEPT)
          .ifPresent(ended -> jobs.remove(key(ended.plan().snapshot(), ended.id())));
    }
    if (job.fidelity() == null) {
      execute(() -> compare(job), () -> job.compared(null));
    }
    for (int row : job.replays().missingRows()) {
      execute(() -> replay(job, row), () -> job.replays().refuse(row, "The server is stopping."));
    }
    return job;
  }

  /** Guarded by this. */
  private void requirePlace(String client) {
    List<WhatIfJob> running = jobs.values().stream().filter(WhatIfJob::isRunning).toList();
    long own = running.stream().filter(job -> job.client().equals(client)).count();
    if (running.size() >= MAX_RUNNING || own >= MAX_RUNNING_OF_CLIENT) {
      throw RefusedRequestException.busy(
          (own >= MAX_RUNNING_OF_CLIENT
                  ? own + " what-if jobs of this client"
                  : running.size() + " what-if jobs")
              + " are running or waiting",
          "Retry when one has ended, or cancel one with DELETE.");
    }
  }

  private void execute(Runnable task, Runnable otherwise) {
    work.submit(WorkKind.REPLAY, Requesters.current().client(), task, otherwise);
  }

  /**
   * The job of a plan, or a new one with the results that are stored, without starting the others.
   */
  WhatIfJob jobOf(WhatIfPlan plan) {
    synchronized (this) {
      WhatIfJob job = jobs.get(key(plan.snapshot(), plan.id()));
      if (job != null && job.state() != WhatIfJob.State.CANCELLED) {
        return job;
      }
    }
    KnownReplays knownReplays = stored.of(plan.snapshot(), plan.device());
    WhatIf replays =
        new WhatIf(
            () -> inspection(plan).replays().run(),
            plan.size(),
            plan.variants(),
            knownReplays,
            () -> new Progress(ReplayLimits.DEFAULT.time(), HeavyWork::checkpoint));
    return new WhatIfJob(
        plan, Requesters.current().client(), replays, knownReplays.fidelity().orElse(null));
  }

  /** Looked up by each replay: a waiting one must not keep a snapshot in the heap. */
  private DeviceInspection inspection(WhatIfPlan plan) {
    return ChosenDevice.of(snapshots.get(plan.snapshot()), plan.device());
  }

  /** A job by its id, unless it ended long ago or before a restart. */
  synchronized Optional<WhatIfJob> find(String snapshot, String id) {
    return Optional.ofNullable(jobs.get(key(snapshot, id)));
  }

  /** Cancels the jobs of a deleted snapshot, and forgets them. */
  public synchronized void deleted(String snapshot) {
    jobs.values().stream()
        .filter(job -> job.plan().snapshot().equals(snapshot))
        .forEach(WhatIfJob::cancel);
    jobs.values().removeIf(job -> job.plan().snapshot().equals(snapshot));
  }

  private void replay(WhatIfJob job, int row) {
    try {
      WhatIfRow ended = job.replays().replay(row, failure -> reason(job.plan(), row, failure));
      if (ended instanceof WhatIfRow.Refused refused && job.isFirstRefused()) {
        LOG.warn("Snapshot {} cannot be replayed: {}", job.plan().snapshot(), refused.reason());
      }
    } catch (CancellationException | WorkCancelledException _) {
      // The row remains without a result.
    }
  }

  /** Why a row has no result, for its reader; of what nobody expects, the log has the details. */
  private static String reason(WhatIfPlan plan, int row, Throwable failure) {
    if (failure instanceof WorkCancelledException left) {
      throw left;
    }
    if (failure instanceof RefusedRequestException deleted) {
      return deleted.getMessage() + ".";
    }
    LOG.error("A replay of {} failed: {}", plan.snapshot(), plan.rows().get(row), failure);
    return failure instanceof OutOfMemoryError
        ? "The replay needs more Java heap than is free."
        : "The replay failed; the server's log has the details.";
  }

  /** Compares a replay under the recorded settings with the recording. */
  private void compare(WhatIfJob job) {
    Fidelity measured = null;
    try {
      DeviceInspection device = inspection(job.plan());
      if (!job.isCancelled() && device.family().isCaching()) {
        measured = device.replays().fidelity();
      }
    } catch (WorkCancelledException
        | ConfigurationException
        | RefusedRequestException
        | ReplayLimitException _) {
      // It remains unknown.
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failure) {
      LOG.error("The recording of {} cannot be compared", job.plan().snapshot(), failure);
    } finally {
      job.compared(measured);
    }
  }

  private static String key(String snapshot, String id) {
    return snapshot + "/" + id;
  }

  @PreDestroy
  void stop() {
    synchronized (this) {
      jobs.values().forEach(WhatIfJob::cancel);
    }
  }
}
