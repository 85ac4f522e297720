package dev.vramscope.whatif.replays;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.RecordedRun;
import dev.vramscope.whatif.Replay;
import dev.vramscope.whatif.ReplayLimitException;
import dev.vramscope.whatif.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Replays of one recorded run under many variants. Results of earlier ones are used and new ones
 * are kept. Whoever owns it runs the rows in threads of its choice: all with {@link #run}, or each
 * with {@link #replay}. Other threads may read the rows, wait and cancel. Thread-safe; runs once.
 */
public final class WhatIf {
  private final Supplier<RecordedRun> run;
  private final DeviceSize size;
  private final KnownReplays knownReplays;
  private final Supplier<Progress> limit;
  private final List<Row> rows;
  private final CountDownLatch missingRows;
  private volatile boolean cancelled;

  /** One variant; what is known of it is written by the thread that replays it. */
  private static final class Row {
    private final Variant variant;
    private volatile WhatIfRow latest;
    private volatile Progress progress = new Progress();

    /** Operations of the recorded run, once it is decoded. */
    private volatile int operations;

    Row(Variant variant, WhatIfRow latest) {
      this.variant = variant;
      this.latest = latest;
    }

    WhatIfRow latest() {
      return latest instanceof WhatIfRow.Running
          ? new WhatIfRow.Running(variant, percent())
          : latest;
    }

    private int percent() {
      return operations == 0 ? 0 : (int) (100L * progress.operations() / operations);
    }
  }

  /** Prepares the replays of a run of which nothing is known; each may take as long as allowed. */
  public WhatIf(RecordedRun run, DeviceSize size, List<? extends Variant> variants) {
    this(() -> run, size, variants, KnownReplays.NONE, Progress::new);
  }

  /**
   * Prepares the replays.
   *
   * @param run decoded when the first replay begins
   * @param limit makes the progress of a replay when it begins
   */
  public WhatIf(
      Supplier<RecordedRun> run,
      DeviceSize size,
      List<? extends Variant> variants,
      KnownReplays knownReplays,
      Supplier<Progress> limit) {
    this.run = run;
    this.size = size;
    this.knownReplays = knownReplays;
    this.limit = limit;
    Map<Variant, Outcome> outcomes = knownReplays.outcomes(variants, size);
    rows = variants.stream().map(variant -> row(variant, outcomes)).toList();
    missingRows = new CountDownLatch(missingRows().size());
  }

  private static Row row(Variant variant, Map<Variant, Outcome> outcomes) {
    Outcome outcome = outcomes.get(variant);
    return new Row(
        variant,
        outcome == null
            ? new WhatIfRow.Waiting(variant)
            : new WhatIfRow.Replayed(variant, outcome));
  }

  /** The rows without a result, counted from 0. */
  public List<Integer> missingRows() {
    List<Integer> waiting = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if (!rows.get(i).latest.hasEnded()) {
        waiting.add(i);
      }
    }
    return waiting;
  }

  /**
   * Replays a missing row in this thread, once, and returns what became of it.
   *
   * @param reason why there is no result after an unexpected failure, a sentence for users; may
   *     throw instead, which leaves the row waiting
   * @throws CancellationException if the replays were cancelled; the row then waits
   */
  public WhatIfRow replay(int number, Function<Throwable, String> reason) {
    Row row = rows.get(number);
    row.progress = limit.get();
    row.latest = new WhatIfRow.Running(row.variant, 0);
    WhatIfRow result = new WhatIfRow.Waiting(row.variant);
    try {
      result = replayed(row);
    } catch (CancellationException stopped) {
      throw stopped;
    } catch (ConfigurationException e) {
      result =
          new WhatIfRow.Refused(
              row.variant, "PyTorch does not accept the settings: " + e.getMessage());
    } catch (ReplayLimitException e) {
      result = new WhatIfRow.Refused(row.variant, String.valueOf(e.getMessage()));
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failure) {
      result = new WhatIfRow.Refused(row.variant, reason.apply(failure));
    } finally {
      end(row, result);
    }
    return result;
  }

  private WhatIfRow replayed(Row row) {
    if (cancelled) {
      throw new CancellationException("The replay was cancelled.");
    }
    RecordedRun decoded = run.get();
    row.operations = decoded.operations();
    Outcome outcome = Replay.run(decoded, row.variant, size, row.progress);
    knownReplays.keep(row.variant, size, outcome);
    return new WhatIfRow.Replayed(row.variant, outcome);
  }

  /** Ends a missing row that will not be replayed. */
  public void refuse(int number, String reason) {
    Row row = rows.get(number);
    end(row, new WhatIfRow.Refused(row.variant, reason));
  }

  private void end(Row row, WhatIfRow result) {
    row.latest = result;
    missingRows.countDown();
  }

  /**
   * Runs all missing replays in the order of the variants.
   *
   * @param threads how many run at the same time, each of which needs heap for the live blocks; 1:
   *     all in this thread
   * @return the rows, in the order of the variants
   * @throws CancellationException if they were cancelled, or this thread was interrupted
   */
  public List<WhatIfRow> run(int threads) {
    List<Integer> waiting = missingRows();
    if (threads == 1) {
      waiting.forEach(row -> replay(row, WhatIf::thrown));
      return rows();
    }
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> workers = new ArrayList<>();
    try (ExecutorService executor =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().name("whatif-", 0).factory())) {
      for (int i = 0; i < Math.min(threads, waiting.size()); i++) {
        workers.add(
            executor.submit(
                () -> {
                  for (int at = next.getAndIncrement();
                      at < waiting.size();
                      at = next.getAndIncrement()) {
                    replay(waiting.get(at), WhatIf::thrown);
                  }
                }));
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
      thrown(Objects.requireNonNullElse(e.getCause(), e));
    }
  }

  /** Throws a failure of a replay. */
  private static String thrown(Throwable failure) {
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    throw new IllegalStateException("A replay failed.", failure);
  }

  /** Ends the replays soon; results so far remain. */
  public void cancel() {
    cancelled = true;
    rows.forEach(row -> row.progress.cancel());
  }

  /** Waits until all rows have ended; returns false if the time was over before. */
  public boolean await(Duration atMost) throws InterruptedException {
    return missingRows.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Whether no row is being replayed or will be. */
  public boolean hasEnded() {
    return missingRows.getCount() == 0;
  }

  /** All variants, and how far each is. */
  public List<WhatIfRow> rows() {
    return rows.stream().map(Row::latest).toList();
  }
}
