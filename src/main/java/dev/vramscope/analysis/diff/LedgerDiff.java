package dev.vramscope.analysis.diff;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Two ledgers, row by row.
 *
 * @param rows the items that at least one ledger has, in the order of {@link Item}
 * @param reserved the sums of the rows that belong to the allocator
 * @param total the sizes of the devices
 */
public record LedgerDiff(List<Row> rows, Amounts reserved, Amounts total) {
  public LedgerDiff {
    rows = List.copyOf(rows);
  }

  /** The amounts of one item. */
  public record Row(Item item, Amounts amounts) {}

  /** An amount of each ledger. */
  public record Amounts(Amount before, Amount after) {
    /** After minus before; empty if one of them is not known. */
    public OptionalLong differenceBytes() {
      return before instanceof Amount.Known(long first)
              && after instanceof Amount.Known(long second)
          ? OptionalLong.of(second - first)
          : OptionalLong.empty();
    }

    /** Whether both are 0. */
    boolean isNothing() {
      return before instanceof Amount.Known(long first)
          && after instanceof Amount.Known(long second)
          && first == 0
          && second == 0;
    }
  }

  /** Compares all rows except those that are 0 in both. */
  public static LedgerDiff of(Ledger before, Ledger after) {
    List<Row> rows = new ArrayList<>();
    for (Item item : Item.values()) {
      Amounts amounts = new Amounts(before.amount(item), after.amount(item));
      boolean isRow = before.row(item).isPresent() || after.row(item).isPresent();
      if (isRow && !amounts.isNothing()) {
        rows.add(new Row(item, amounts));
      }
    }
    return new LedgerDiff(
        rows,
        new Amounts(before.reserved(), after.reserved()),
        new Amounts(before.total(), after.total()));
  }
}
