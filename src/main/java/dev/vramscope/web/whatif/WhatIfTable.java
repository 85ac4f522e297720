package dev.vramscope.web.whatif;

import dev.vramscope.whatif.EmptyCache;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.replays.WhatIfJob;
import dev.vramscope.whatif.replays.WhatIfRow;
import dev.vramscope.whatif.replays.WhatIfSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a what-if job as a table: those that fit first, of these settings before other
 * allocators, least memory first.
 *
 * @param lowerBound the memory that a perfectly packed allocator would need: the least peak of
 *     allocated bytes of the rows that fit; empty if none fits
 */
record WhatIfTable(List<Row> rows, OptionalLong lowerBound, int finishedCount) {
  /** The number of rows of a search that are shown. */
  private static final int BEST = 12;

  /**
   * One row.
   *
   * @param number in the table, from 1
   * @param isBest whether no other row that fits needs less memory and at most as many driver calls
   * @param replay its result, or how far it is
   * @param neededRelease of PyTorch, if that of the recording may not know the settings
   * @param savedBytes peak reserved less than that of the recording; null if not comparable
   */
  record Row(
      int number,
      WhatIfSettings row,
      boolean isRecorded,
      boolean isBest,
      WhatIfRow replay,
      @Nullable String neededRelease,
      @Nullable Long savedBytes) {
    public String name() {
      return isRecorded ? "As recorded" : row.name();
    }

    public String line() {
      return row.line();
    }

    /** The result; null if there is none. */
    public @Nullable Outcome outcome() {
      return replay instanceof WhatIfRow.Replayed replayed ? replayed.outcome() : null;
    }

    /** Why there will be no result; null if there is or may be one. */
    public @Nullable String problem() {
      return replay instanceof WhatIfRow.Refused refused ? refused.reason() : null;
    }

    /** The part that was replayed, as long as there is no result. */
    public int percent() {
      return replay instanceof WhatIfRow.Running running ? running.percent() : 0;
    }

    boolean fits() {
      Outcome outcome = outcome();
      return outcome != null && outcome.fits();
    }

    long reserved() {
      Outcome outcome = outcome();
      return outcome == null ? 0 : outcome.peakReservedBytes();
    }

    long allocated() {
      Outcome outcome = outcome();
      return outcome == null ? 0 : outcome.peakAllocatedBytes();
    }

    long calls() {
      Outcome outcome = outcome();
      return outcome == null ? 0 : outcome.driverCalls();
    }

    long failures() {
      Outcome outcome = outcome();
      return outcome == null ? Long.MAX_VALUE : outcome.ooms();
    }

    /** Peak reserved divided by peak allocated. */
    public double overhead() {
      return allocated() == 0 ? 1 : (double) reserved() / allocated();
    }

    private Row at(int place, boolean best) {
      return new Row(place, row, isRecorded, best, replay, neededRelease, savedBytes);
    }
  }

  /**
   * The rows of a job.
   *
   * @param hasRecorded whether the first row has the recorded settings
   * @param neededRelease the release that a settings line needs, if the recording's may be older
   */
  static WhatIfTable of(
      WhatIfJob job, boolean hasRecorded, Function<String, Optional<String>> neededRelease) {
    List<WhatIfRow> replays = job.rows();
    Outcome recorded =
        hasRecorded && replays.getFirst() instanceof WhatIfRow.Replayed replayed
            ? replayed.outcome()
            : null;
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < replays.size(); i++) {
      WhatIfSettings settings = job.plan().rows().get(i);
      boolean isRecorded = hasRecorded && i == 0;
      Long saved =
          !isRecorded
                  && recorded != null
                  && replays.get(i) instanceof WhatIfRow.Replayed replayed
                  && replayed.outcome().fits()
              ? (Long) (recorded.peakReservedBytes() - replayed.outcome().peakReservedBytes())
              : null;
      String release = isRecorded ? null : neededRelease.apply(settings.line()).orElse(null);
      rows.add(
          new Row(0, settings, isRecorded, /* isBest= */ false, replays.get(i), release, saved));
    }
    rows.sort(
        Comparator.comparing((Row row) -> !row.replay().hasEnded())
            .thenComparing(row -> !row.fits())
            // Another allocator is a larger change than a setting, and may cost far more calls.
            .thenComparing(row -> row.fits() && hasRecorded && !isCaching(row))
            .thenComparingLong(row -> row.fits() ? row.reserved() : row.failures())
            .thenComparingLong(Row::calls));
    List<Row> numbered = new ArrayList<>();
    for (Row row : rows) {
      boolean isBest = row.fits() && rows.stream().noneMatch(other -> isBetter(other, row));
      numbered.add(row.at(numbered.size() + 1, isBest));
    }
    return new WhatIfTable(
        numbered,
        rows.stream().filter(Row::fits).mapToLong(Row::allocated).min(),
        (int) rows.stream().filter(row -> row.replay().hasEnded()).count());
  }

  private static boolean isCaching(Row row) {
    return row.row().variant() instanceof Variant.Caching;
  }

  /** Whether a row needs less of one and not more of the other: memory and driver calls. */
  private static boolean isBetter(Row one, Row other) {
    return one.fits()
        && one.reserved() <= other.reserved()
        && one.calls() <= other.calls()
        && (one.reserved() < other.reserved() || one.calls() < other.calls());
  }

  /** The rows to show of a search: the best and the recording, and the next ones. */
  public List<Row> best() {
    return rows.stream()
        .filter(row -> row.replay().hasEnded())
        .filter(row -> row.isBest() || row.isRecorded() || row.number() <= BEST)
        .toList();
  }

  /** Whether a row empties the cache at a step. */
  public boolean dependsOnSteps() {
    return rows.stream()
        .map(row -> row.row().variant())
        .anyMatch(
            variant ->
                variant instanceof Variant.Caching caching
                    && caching.emptyCache() != EmptyCache.NEVER);
  }

  /** Whether a row needs less or more memory than the recording; only those that fit say so. */
  public boolean hasSavings() {
    return rows.stream().anyMatch(row -> row.savedBytes() != null);
  }

  /** Whether there is a row that fits. */
  public boolean hasFitting() {
    return rows.stream().anyMatch(Row::fits);
  }

  /** The row that fits with the least memory; null as long as none does. */
  public @Nullable Row winner() {
    return rows.isEmpty() || !rows.getFirst().fits() ? null : rows.getFirst();
  }
}
