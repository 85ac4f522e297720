package dev.vramscope.whatif.replays;

import dev.vramscope.whatif.Fidelity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The replays of a plan that a client asked for, and their comparison with the recording.
 * Thread-safe.
 */
public final class WhatIfJob {
  /** What a job is doing. */
  public enum State {
    RUNNING,
    DONE,
    CANCELLED
  }

  private final WhatIfPlan plan;
  private final String client;
  private final WhatIf replays;
  private final CountDownLatch comparison;
  private volatile @Nullable Fidelity fidelity;
  private final AtomicBoolean refused = new AtomicBoolean();
  private volatile boolean cancelled;

  /**
   * A job.
   *
   * @param client who asked first
   * @param fidelity null if it is not known
   */
  WhatIfJob(WhatIfPlan plan, String client, WhatIf replays, @Nullable Fidelity fidelity) {
    this.plan = plan;
    this.client = client;
    this.replays = replays;
    this.fidelity = fidelity;
    comparison = new CountDownLatch(fidelity == null ? 1 : 0);
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

  WhatIf replays() {
    return replays;
  }

  /** In the order of the plan. */
  public List<WhatIfRow> rows() {
    return replays.rows();
  }

  /** Whether no row was refused before; all of a job usually are for the same reason. */
  boolean isFirstRefused() {
    return refused.compareAndSet(false, true);
  }

  /** How exactly the recording is reproduced; null if it is not known. */
  public @Nullable Fidelity fidelity() {
    return fidelity;
  }

  /** Ends the comparison. */
  void compared(@Nullable Fidelity measured) {
    fidelity = measured;
    comparison.countDown();
  }

  private boolean hasEnded() {
    return replays.hasEnded() && comparison.getCount() == 0;
  }

  /** Ends the replays soon; results so far remain. */
  public void cancel() {
    if (!hasEnded()) {
      cancelled = true;
      replays.cancel();
    }
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** Waits until all has ended; returns false if the time was over before. */
  public boolean await(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    return replays.await(atMost)
        && comparison.await(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  public State state() {
    if (cancelled) {
      return State.CANCELLED;
    }
    return hasEnded() ? State.DONE : State.RUNNING;
  }

  public boolean isRunning() {
    return state() == State.RUNNING;
  }
}
