package dev.vramscope.web.whatif;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Requesters;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.whatif.RecordedRun;
import dev.vramscope.whatif.Replay;
import dev.vramscope.whatif.ReplayLimitException;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkCancelledException;
import dev.vramscope.work.WorkKind;
import jakarta.annotation.PreDestroy;
import java.util.HashMap;
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
    WhatIfJob known = known(plan);
    if (!known.isRunning()) {
      return known;
    }
    WhatIfJob job;
    synchronized (this) {
      WhatIfJob running = jobs.get(key(plan.snapshot(), plan.id()));
      if (running != null && running.isRunning()) {
        return running;
      }
      requirePlace(known.client());
      job = known;
      jobs.remove(key(plan.snapshot(), plan.id()));
      jobs.put(key(plan.snapshot(), plan.id()), job);
      jobs.values().stream()
          .filter(each -> !each.isRunning())
          .findFirst()
          .filter(_ -> jobs.size() > MAX_KEPT)
          .ifPresent(ended -> jobs.remove(key(ended.plan().snapshot(), ended.id())));
    }
    if (job.fidelity() == null) {
      execute(() -> compare(job), () -> job.fidelityFound(null));
    }
    for (int row : job.missingRows()) {
      execute(
          () -> run(job, row),
          () -> job.finished(row, WhatIfResult.failed("The server is stopping.")));
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
  WhatIfJob known(WhatIfPlan plan) {
    synchronized (this) {
      WhatIfJob job = jobs.get(key(plan.snapshot(), plan.id()));
      if (job != null && job.state() != WhatIfJob.State.CANCELLED) {
        return job;
      }
    }
    Map<String, String> known = stored.of(plan.snapshot());
    Map<String, WhatIfResult> results = new HashMap<>();
    for (WhatIfSettings row : plan.rows()) {
      WhatIfResult result = stored.read(known.get(plan.request(row)), WhatIfResult.class);
      if (result != null) {
        results.put(plan.request(row), result);
      }
    }
    return new WhatIfJob(
        plan,
        Requesters.current().client(),
        results,
        stored.read(known.get(plan.fidelityRequest()), FidelityView.class));
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

  private void run(WhatIfJob job, int row) {
    WhatIfResult result = null;
    try {
      job.requireNotCancelled();
      result = replay(job, row);
      if (result.isKnown()) {
        stored.put(job.plan().snapshot(), job.plan().request(job.plan().rows().get(row)), result);
      }
    } catch (CancellationException | WorkCancelledException _) {
      // The row remains without a result.
    } catch (ReplayLimitException tooLarge) {
      result = WhatIfResult.failed(String.valueOf(tooLarge.getMessage()));
    } catch (RefusedRequestException deleted) {
      result = WhatIfResult.failed(deleted.getMessage() + ".");
    } catch (ConfigurationException unreadable) {
      // Settings that a user entered were checked before; one line for all rows with recorded ones.
      if (job.isFirstUnreadable()) {
        LOG.warn(
            "The settings of snapshot {} cannot be replayed: {}",
            job.plan().snapshot(),
            unreadable.getMessage());
      }
      result =
          WhatIfResult.failed("PyTorch does not accept the settings: " + unreadable.getMessage());
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failure) {
      LOG.error("A replay failed: {}", job.plan().request(job.plan().rows().get(row)), failure);
      result =
          WhatIfResult.failed(
              failure instanceof OutOfMemoryError
                  ? "The replay needs more Java heap than is free."
                  : "The replay failed; the server's log has the details.");
    } finally {
      job.finished(row, result);
    }
  }

  /** Compares a replay under the recorded settings with the recording. */
  private void compare(WhatIfJob job) {
    WhatIfPlan plan = job.plan();
    FidelityView found = null;
    try {
      job.requireNotCancelled();
      DeviceInspection device = ChosenDevice.of(snapshots.get(plan.snapshot()), plan.device());
      if (device.family().isCaching()) {
        found = FidelityView.of(device.replays().fidelity());
      }
    } catch (CancellationException
        | WorkCancelledException
        | ConfigurationException
        | RefusedRequestException
        | ReplayLimitException _) {
      // It remains unknown.
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failure) {
      LOG.error("The recording of {} cannot be compared", plan.snapshot(), failure);
    } finally {
      job.fidelityFound(found);
    }
  }

  private WhatIfResult replay(WhatIfJob job, int row) {
    WhatIfPlan plan = job.plan();
    // Looked up by each replay: a waiting one must not keep a snapshot in the heap.
    RecordedRun run =
        ChosenDevice.of(snapshots.get(plan.snapshot()), plan.device()).replays().run();
    job.setOperations(run.operations());
    return WhatIfResult.of(
        Replay.run(run, plan.rows().get(row).variant(), plan.size(), job.progress(row)));
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
