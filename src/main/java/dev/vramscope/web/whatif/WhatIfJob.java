package dev.vramscope.web.whatif;

import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.ReplayLimits;
import dev.vramscope.work.HeavyWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The replays of one plan and their results so far. Thread-safe. */
final class WhatIfJob {
  /** What a job is doing. */
  enum State {
    RUNNING,
    DONE,
    CANCELLED
  }

  private final WhatIfPlan plan;
  private final String client;
  private final AtomicReferenceArray<@Nullable WhatIfResult> results;
  private final List<Progress> progress = new ArrayList<>();
  private final CountDownLatch missing;
  private volatile @Nullable FidelityView fidelity;
  private final AtomicBoolean unreadable = new AtomicBoolean();
  private volatile boolean cancelled;
  private volatile int operations;

  /**
   * A job.
   *
   * @param client who asked first
   * @param known results by {@link WhatIfPlan#request}
   * @param fidelity null if it is not known
   */
  WhatIfJob(
      WhatIfPlan plan,
      String client,
      Map<String, WhatIfResult> known,
      @Nullable FidelityView fidelity) {
    this.plan = plan;
    this.client = client;
    this.fidelity = fidelity;
    results = new AtomicReferenceArray<>(plan.rows().size());
    int count = fidelity == null ? 1 : 0;
    for (int row = 0; row < plan.rows().size(); row++) {
      WhatIfResult result = known.get(plan.request(plan.rows().get(row)));
      results.set(row, result);
      count += result == null ? 1 : 0;
      progress.add(new Progress(ReplayLimits.DEFAULT.time(), HeavyWork::checkpoint));
    }
    missing = new CountDownLatch(count);
  }

  public String id() {
    return plan.id();
  }

  /** The client whose share it is counted in. */
  String client() {
    return client;
  }

  public WhatIfPlan plan() {
    return plan;
  }

  /** The result of a row, or null if there is none yet. */
  public @Nullable WhatIfResult result(int row) {
    return results.get(row);
  }

  /** How exactly the recording is reproduced; null if it is not known yet. */
  public @Nullable FidelityView fidelity() {
    return fidelity;
  }

  void fidelityFound(@Nullable FidelityView found) {
    fidelity = found;
    missing.countDown();
  }

  /** The rows without a result. */
  List<Integer> missingRows() {
    List<Integer> rows = new ArrayList<>();
    for (int row = 0; row < results.length(); row++) {
      if (results.get(row) == null) {
        rows.add(row);
      }
    }
    return rows;
  }

  Progress progress(int row) {
    return progress.get(row);
  }

  /** The operations of one replay, once they are known. */
  void setOperations(int count) {
    operations = count;
  }

  /** The part of the operations of a row that were replayed, in percent. */
  public int percent(int row) {
    int all = operations;
    return all == 0 ? 0 : (int) (100L * progress.get(row).operations() / all);
  }

  void finished(int row, @Nullable WhatIfResult result) {
    results.set(row, result);
    missing.countDown();
  }

  /** Whether this is the first row whose settings cannot be read. */
  boolean isFirstUnreadable() {
    return unreadable.compareAndSet(false, true);
  }

  /** Ends the replays soon; results so far remain. */
  void cancel() {
    if (missing.getCount() > 0) {
      cancelled = true;
      progress.forEach(Progress::cancel);
    }
  }

  void requireNotCancelled() {
    if (cancelled) {
      throw new CancellationException("The replay was cancelled.");
    }
  }

  /** Waits until all rows have ended; returns false if the time was over before. */
  boolean await(Duration atMost) throws InterruptedException {
    return missing.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  public State state() {
    if (cancelled) {
      return State.CANCELLED;
    }
    return missing.getCount() == 0 ? State.DONE : State.RUNNING;
  }

  public boolean isRunning() {
    return state() == State.RUNNING;
  }
}
