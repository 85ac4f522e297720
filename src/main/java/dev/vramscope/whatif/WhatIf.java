package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Replays of one recorded run under many variants, several at the same time. Other threads may read
 * the rows and cancel. Thread-safe; runs once.
 */
public final class WhatIf {
  private final RecordedRun run;
  private final DeviceSize size;
  private final List<Task> tasks;
  private final TimeLimit limit;
  private final AtomicInteger next = new AtomicInteger();
  private volatile boolean cancelled;

  /** One variant; its row is written by the thread that replays it. */
  private static final class Task {
    private final Variant variant;
    private volatile WhatIfRow row;

    /** Replaced when the replay begins. */
    private volatile Progress progress = new Progress();

    Task(Variant variant) {
      this.variant = variant;
      row = new WhatIfRow.Waiting(variant);
    }

    WhatIfRow row() {
      return row instanceof WhatIfRow.Running
          ? new WhatIfRow.Running(variant, progress.operations())
          : row;
    }
  }

  /** Prepares the replays; {@link #run} runs them in the order of the variants. */
  public WhatIf(RecordedRun run, DeviceSize size, List<? extends Variant> variants) {
    this(run, size, variants, TimeLimit.NONE);
  }

  /** The same; those that have not ended when the time is over are refused. */
  public WhatIf(
      RecordedRun run, DeviceSize size, List<? extends Variant> variants, TimeLimit limit) {
    this.run = run;
    this.size = size;
    this.limit = limit;
    tasks = variants.stream().<Task>map(Task::new).toList();
  }

  /**
   * Runs all replays.
   *
   * @param threads how many run at the same time; each needs heap for the live blocks
   * @return the rows, in the order of the variants
   * @throws CancellationException if they were cancelled, or this thread was interrupted
   */
  public List<WhatIfRow> run(int threads) {
    List<Future<?>> workers = new ArrayList<>();
    try (ExecutorService executor =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().name("whatif-", 0).factory())) {
      for (int i = 0; i < threads; i++) {
        workers.add(executor.submit(this::work));
      }
      for (Future<?> worker : workers) {
        await(worker);
      }
    }
    return rows();
  }

  private void await(Future<?> worker) {
    try {
      worker.get();
    } catch (InterruptedException _) {
      cancel();
      Thread.currentThread().interrupt();
      throw new CancellationException("The replays were interrupted.");
    } catch (ExecutionException e) {
      cancel();
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException("A replay failed.", e.getCause());
    }
  }

  private void work() {
    for (int i = next.getAndIncrement(); i < tasks.size(); i = next.getAndIncrement()) {
      replay(tasks.get(i));
    }
  }

  private void replay(Task task) {
    Variant variant = task.variant;
    // The limit of the time begins here, not when the task was made.
    task.progress = limit.progress();
    task.row = new WhatIfRow.Running(variant, 0);
    if (cancelled) {
      task.progress.cancel();
    }
    try {
      task.row = new WhatIfRow.Replayed(variant, Replay.run(run, variant, size, task.progress));
    } catch (ConfigurationException | ReplayLimitException e) {
      task.row = new WhatIfRow.Refused(variant, String.valueOf(e.getMessage()));
    }
  }

  /** Ends the replays soon; those that were not finished stay as they are. */
  public void cancel() {
    cancelled = true;
    tasks.forEach(task -> task.progress.cancel());
  }

  /** All variants, and how far each is. */
  public List<WhatIfRow> rows() {
    return tasks.stream().map(Task::row).toList();
  }

  /** The part of the work that is done, from 0 to 1. */
  public double completed() {
    double done = 0;
    for (WhatIfRow row : rows()) {
      done +=
          switch (row) {
            case WhatIfRow.Waiting _ -> 0;
            case WhatIfRow.Running running ->
                (double) running.operations() / Math.max(1, run.operations());
            case WhatIfRow.Replayed _, WhatIfRow.Refused _ -> 1;
          };
    }
    return tasks.isEmpty() ? 1 : done / tasks.size();
  }
}
