package dev.vramscope.whatif;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The replays that no other one beats: none of the others holds at most as much memory with at most
 * as many driver calls. A run that fits beats every one that does not; of those that do not, the
 * one with the fewest failures is best.
 *
 * @param best ascending by peak reserved bytes, and so descending by driver calls
 */
public record Frontier(List<WhatIfRow.Replayed> best) {
  private static final Comparator<WhatIfRow.Replayed> ORDER =
      Comparator.<WhatIfRow.Replayed>comparingLong(row -> row.outcome().ooms())
          .thenComparingLong(row -> row.outcome().peakReservedBytes())
          .thenComparingLong(row -> row.outcome().driverCalls());

  public Frontier {
    best = List.copyOf(best);
  }

  /** The best rows so far; of equal ones, the first. */
  public static Frontier of(List<WhatIfRow> rows) {
    List<WhatIfRow.Replayed> replayed = new ArrayList<>();
    for (WhatIfRow row : rows) {
      if (row instanceof WhatIfRow.Replayed done) {
        replayed.add(done);
      }
    }
    replayed.sort(ORDER);
    List<WhatIfRow.Replayed> best = new ArrayList<>();
    long fewestCalls = Long.MAX_VALUE;
    for (WhatIfRow.Replayed row : replayed) {
      boolean isWorse = !best.isEmpty() && row.outcome().ooms() > best.getFirst().outcome().ooms();
      if (!isWorse && row.outcome().driverCalls() < fewestCalls) {
        best.add(row);
        fewestCalls = row.outcome().driverCalls();
      }
    }
    return new Frontier(best);
  }
}
