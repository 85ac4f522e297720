package dev.vramscope.whatif.replays;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.ReplayLimitException;
import dev.vramscope.whatif.ReplayLimits;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkCancelledException;
import dev.vramscope.work.WorkKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Replays of stored recordings, which take turns with other work. Results are stored with the
 * snapshot, so that the same replay is not run twice. Thread-safe.
 */
public final class WhatIfJobs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WhatIfJobs.class);
  private static final int MAX_RUNNING = 32;
  private static final int MAX_RUNNING_OF_CLIENT = MAX_RUNNING / 2;
  private static final int MAX_KEPT = 256;

  private final BiFunction<String, Integer, KnownReplays> known;
  private final Function<WhatIfPlan, ReplayableRun> runs;
  private final Function<Throwable, Optional<String>> expected;
  private final HeavyWork work;

  /** The latest jobs by snapshot and id, oldest first. Guarded by this. */
  private final Map<String, WhatIfJob> jobs = new LinkedHashMap<>();

  /**
   * Without jobs.
   *
   * @param known results of earlier replays, by snapshot and device
   * @param runs the recording of a plan; asked by each replay: a waiting one must not keep a
   *     snapshot in the heap
   * @param expected a sentence for users about a failure that is no mistake of the program, such as
   *     that of a snapshot that was deleted meanwhile
   */
  public WhatIfJobs(
      BiFunction<String, Integer, KnownReplays> known,
      Function<WhatIfPlan, ReplayableRun> runs,
      Function<Throwable, Optional<String>> expected,
      HeavyWork work) {
    this.known = known;
    this.runs = runs;
    this.expected = expected;
    this.work = work;
  }

  /**
   * Starts the replays of a plan whose results are not known; joins them if they run already.
   *
   * @param client who asks
   * @throws ReplaysBusyException if too many jobs wait
   */
  public WhatIfJob start(WhatIfPlan plan, String client) {
    WhatIfJob candidate = jobOf(plan, client);
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
      execute(client, () -> compare(job), () -> job.compared(null));
    }
    for (int row : job.replays().missingRows()) {
      execute(
          client,
          () -> replay(job, row),
          () -> job.replays().refuse(row, "The server is stopping."));
    }
    return job;
  }

  /** Guarded by this. */
  private void requirePlace(String client) {
    List<WhatIfJob> running = jobs.values().stream().filter(WhatIfJob::isRunning).toList();
    long own = running.stream().filter(job -> job.client().equals(client)).count();
    if (running.size() >= MAX_RUNNING || own >= MAX_RUNNING_OF_CLIENT) {
      throw new ReplaysBusyException(
          (own >= MAX_RUNNING_OF_CLIENT
                  ? own + " what-if jobs of this client"
                  : running.size() + " what-if jobs")
              + " are running or waiting");
    }
  }

  private void execute(String client, Runnable task, Runnable otherwise) {
    work.submit(WorkKind.REPLAY, client, task, otherwise);
  }

  /**
   * The job of a plan, or a new one with the results that are known, without starting the others.
   *
   * @param client who asks
   */
  public WhatIfJob jobOf(WhatIfPlan plan, String client) {
    synchronized (this) {
      WhatIfJob job = jobs.get(key(plan.snapshot(), plan.id()));
      if (job != null && job.state() != WhatIfJob.State.CANCELLED) {
        return job;
      }
    }
    KnownReplays knownReplays = known.apply(plan.snapshot(), plan.device());
    WhatIf replays =
        new WhatIf(
            () -> runs.apply(plan).run().get(),
            plan.size(),
            plan.variants(),
            knownReplays,
            () -> new Progress(ReplayLimits.DEFAULT.time(), HeavyWork::checkpoint));
    return new WhatIfJob(plan, client, replays, knownReplays.fidelity().orElse(null));
  }

  /** A job by its id, unless it ended long ago or before a restart. */
  public synchronized Optional<WhatIfJob> find(String snapshot, String id) {
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
  private String reason(WhatIfPlan plan, int row, Throwable failure) {
    if (failure instanceof WorkCancelledException left) {
      throw left;
    }
    Optional<String> sentence = expected.apply(failure);
    if (sentence.isPresent()) {
      return sentence.get();
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
      ReplayableRun run = runs.apply(job.plan());
      if (!job.isCancelled() && run.isComparable()) {
        measured = run.fidelity().get();
      }
    } catch (WorkCancelledException | ConfigurationException | ReplayLimitException _) {
      // It remains unknown.
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failure) {
      LOG.atLevel(expected.apply(failure).isPresent() ? Level.DEBUG : Level.ERROR)
          .setCause(failure)
          .log("The recording of {} cannot be compared", job.plan().snapshot());
    } finally {
      job.compared(measured);
    }
  }

  private static String key(String snapshot, String id) {
    return snapshot + "/" + id;
  }

  /** Cancels all jobs. */
  @Override
  public void close() {
    synchronized (this) {
      jobs.values().forEach(WhatIfJob::cancel);
    }
  }
}
