package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.LedgerDiff.Amounts;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.LedgerWords;
import dev.vramscope.web.snapshot.LedgerView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of two ledgers, with their sums. */
final class ComparedLedger {
  private ComparedLedger() {}

  /**
   * One row.
   *
   * @param term the glossary's id; empty for a sum
   * @param isSum whether it is the sum of the rows above it
   * @param differenceBytes null if one side is unknown
   */
  record Row(
      String label, String term, boolean isSum, Cell a, Cell b, @Nullable Long differenceBytes) {
    public boolean isDifferent() {
      return differenceBytes == null || differenceBytes != 0;
    }
  }

  /**
   * An amount.
   *
   * @param bytes null if it is unknown
   * @param isAtLeast whether it is a lower bound
   * @param reason why it is not known exactly; empty if it is
   */
  record Cell(@Nullable Long bytes, boolean isAtLeast, String reason) {
    static Cell of(Amount amount) {
      return switch (amount) {
        case Amount.Known(long bytes) -> new Cell(bytes, /* isAtLeast= */ false, "");
        case Amount.AtLeast(long bytes, String reason) ->
            new Cell(bytes, /* isAtLeast= */ true, reason);
        case Amount.Unknown(String reason) -> new Cell(null, /* isAtLeast= */ false, reason);
      };
    }
  }

  static List<Row> of(Comparison comparison) {
    List<Row> rows = new ArrayList<>();
    boolean isSummed = false;
    for (var row : comparison.ledger().rows()) {
      if (!row.item().isReserved() && !isSummed) {
        rows.add(sum("Reserved by the allocator", comparison.ledger().reserved()));
        isSummed = true;
      }
      rows.add(
          row(
              LedgerWords.label(row.item(), comparison.b().device().family()),
              LedgerView.term(row.item()),
              /* isSum= */ false,
              row.amounts()));
    }
    if (!isSummed) {
      rows.add(sum("Reserved by the allocator", comparison.ledger().reserved()));
    }
    rows.add(sum("Device total", comparison.ledger().total()));
    return rows;
  }

  private static Row sum(String label, Amounts amounts) {
    return row(label, "", /* isSum= */ true, amounts);
  }

  private static Row row(String label, String term, boolean isSum, Amounts amounts) {
    return new Row(
        label,
        term,
        isSum,
        Cell.of(amounts.before()),
        Cell.of(amounts.after()),
        amounts.differenceBytes().isPresent()
            ? (Long) amounts.differenceBytes().getAsLong()
            : null);
  }
}
