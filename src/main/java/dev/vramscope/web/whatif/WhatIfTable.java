package dev.vramscope.web.whatif;

import dev.vramscope.whatif.Variant;
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
   * @param percent the part that was replayed
   * @param neededRelease of PyTorch, if that of the recording may not know the settings
   * @param savedBytes peak reserved less than that of the recording; null if not comparable
   */
  record Row(
      int number,
      WhatIfSettings row,
      boolean isRecorded,
      boolean isBest,
      @Nullable WhatIfResult result,
      int percent,
      @Nullable String neededRelease,
      @Nullable Long savedBytes) {
    public String name() {
      return row.name();
    }

    public String line() {
      return row.line();
    }

    boolean fits() {
      return result != null && result.isKnown() && result.fits();
    }

    long reserved() {
      return result == null ? 0 : result.peakReservedBytes();
    }

    long allocated() {
      return result == null ? 0 : result.peakAllocatedBytes();
    }

    long calls() {
      return result == null ? 0 : result.driverCalls();
    }

    /** Peak reserved divided by peak allocated. */
    public double overhead() {
      return result == null || result.peakAllocatedBytes() == 0
          ? 1
          : (double) result.peakReservedBytes() / result.peakAllocatedBytes();
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
    WhatIfResult recorded = hasRecorded ? job.result(0) : null;
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < job.plan().rows().size(); i++) {
      WhatIfResult result = job.result(i);
      boolean isRecorded = hasRecorded && i == 0;
      Long saved =
          isRecorded || recorded == null || result == null || !result.fits()
              ? null
              : recorded.peakReservedBytes() - result.peakReservedBytes();
      rows.add(
          new Row(
              0,
              job.plan().rows().get(i),
              isRecorded,
              false,
              result,
              job.percent(i),
              isRecorded ? null : neededRelease.apply(job.plan().rows().get(i).line()).orElse(null),
              saved));
    }
    rows.sort(
        Comparator.comparing((Row row) -> row.result() == null)
            .thenComparing(row -> !row.fits())
            // Another allocator is a larger change than a setting, and may cost far more calls.
            .thenComparing(row -> row.fits() && hasRecorded && !isCaching(row))
            .thenComparingLong(row -> row.fits() ? row.reserved() : failures(row))
            .thenComparingLong(Row::calls));
    List<Row> numbered = new ArrayList<>();
    for (Row row : rows) {
      numbered.add(
          new Row(
              numbered.size() + 1,
              row.row(),
              row.isRecorded(),
              row.fits() && rows.stream().noneMatch(other -> isBetter(other, row)),
              row.result(),
              row.percent(),
              row.neededRelease(),
              row.savedBytes()));
    }
    return new WhatIfTable(
        numbered,
        rows.stream().filter(Row::fits).mapToLong(Row::allocated).min(),
        (int) rows.stream().filter(row -> row.result() != null).count());
  }

  private static boolean isCaching(Row row) {
    return row.row().variant() instanceof Variant.Caching;
  }

  private static long failures(Row row) {
    WhatIfResult result = row.result();
    return result == null || !result.isKnown() ? Long.MAX_VALUE : result.ooms();
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
        .filter(row -> row.result() != null)
        .filter(row -> row.isBest() || row.isRecorded() || row.number() <= BEST)
        .toList();
  }

  /** The row that fits with the least memory; null as long as none does. */
  public @Nullable Row winner() {
    return rows.isEmpty() || !rows.getFirst().fits() ? null : rows.getFirst();
  }
}
