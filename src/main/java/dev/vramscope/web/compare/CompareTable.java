package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.DiffRows;
import dev.vramscope.web.compare.CompareForm.Show;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.request.Slice;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The sites or stacks with some kinds of difference, the largest difference first.
 *
 * @param slice the rows of one page
 * @param sums of all pages
 * @param mostBytes the largest difference of the page, for bars relative to it; at least 1
 */
record CompareTable(Slice<CompareRow> slice, Sums sums, long mostBytes) {
  static final int PAGE = 50;
  private static final int CHARACTERS = 250_000;

  /** What all rows with some kinds of difference have together. */
  record Sums(long rowCount, long beforeBytes, long afterBytes) {
    static Sums of(DiffRows all, Show changes) {
      List<DiffRows.Group> groups =
          all.groups().stream().filter(group -> changes.includes(group.change())).toList();
      return new Sums(
          groups.stream().mapToLong(DiffRows.Group::rowCount).sum(),
          groups.stream().mapToLong(DiffRows.Group::beforeBytes).sum(),
          groups.stream().mapToLong(DiffRows.Group::afterBytes).sum());
    }

    public long differenceBytes() {
      return afterBytes - beforeBytes;
    }
  }

  static CompareTable of(DiffRows all, Show changes, Comparison comparison, int offset) {
    Sums sums = Sums.of(all, changes);
    int total = Math.toIntExact(sums.rowCount());
    int from = Slice.offsetIn(total, offset, PAGE);
    TextBudget budget = new TextBudget(CHARACTERS);
    List<CompareRow> rows =
        all.largest().stream()
            .filter(row -> changes.includes(row.change()))
            .skip(from)
            .limit(PAGE)
            .takeWhile(_ -> !budget.isSpent())
            .map(row -> CompareRow.of(row, comparison, budget))
            .toList();
    return new CompareTable(
        new Slice<>(rows, from, PAGE, total),
        sums,
        rows.stream().mapToLong(row -> Math.abs(row.differenceBytes())).max().orElse(1));
  }

  /** How many rows each choice shows, in the order of the choices. */
  static Map<Show, Long> counts(DiffRows all) {
    Map<Show, Long> counts = new EnumMap<>(Show.class);
    for (Show changes : Show.values()) {
      counts.put(changes, Sums.of(all, changes).rowCount());
    }
    return counts;
  }
}
