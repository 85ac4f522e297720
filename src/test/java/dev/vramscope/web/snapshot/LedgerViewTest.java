package dev.vramscope.web.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.model.AllocatorFamily;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LedgerViewTest {
  @Test
  void barIsToScaleWithSpaceForUnknownRows() {
    LedgerView view =
        LedgerView.of(
            new Ledger(
                List.of(
                    row(Item.LIVE_REQUESTED, 60),
                    row(Item.ROUNDING, 0),
                    row(Item.UNRELEASABLE, 20),
                    new Ledger.Row(Item.OTHER_PROCESSES, new Amount.Unknown("not reported"))),
                80,
                new Amount.Known(100),
                new Amount.Known(20)),
            AllocatorFamily.CACHING);
    assertThat(view.rows())
        .extracting(LedgerView.Row::item)
        .containsExactly(Item.LIVE_REQUESTED, Item.UNRELEASABLE, Item.OTHER_PROCESSES);
    assertThat(view.rows().get(1).startPercent()).isEqualTo(60, within(1e-9));
    assertThat(view.rows().get(1).sharePercent()).isEqualTo(20, within(1e-9));
    assertThat(view.knownPercent()).isEqualTo(80, within(1e-9));
    assertThat(view.rows().get(2).unknown()).isEqualTo("not reported");
    assertThat(view.remainderBytes()).isEqualTo(20L);
  }

  @Test
  void knownRowsFillTheBarWithoutATotal() {
    LedgerView view =
        LedgerView.of(
            new Ledger(
                List.of(row(Item.LIVE_REQUESTED, 3), row(Item.CACHED_RELEASABLE, 1)),
                4,
                new Amount.Unknown("not in the file"),
                new Amount.Unknown("not in the file")),
            AllocatorFamily.CACHING);
    assertThat(view.knownPercent()).isEqualTo(100, within(1e-9));
    assertThat(view.totalBytes()).isNull();
    assertThat(view.totalUnknown()).isEqualTo("not in the file");
  }

  @Test
  void emptyDeviceHasAnEmptyBar() {
    LedgerView view =
        LedgerView.of(
            new Ledger(List.of(), 0, new Amount.Unknown("x"), new Amount.Unknown("x")),
            AllocatorFamily.CACHING);
    assertThat(view.rows()).isEmpty();
    assertThat(view.knownPercent()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Item.class)
  void everyItemHasALabelAndAColour(Item item) {
    LedgerView.Row row = new LedgerView.Row(item, 1L, null, null, AllocatorFamily.CACHING, 0, 1);
    assertThat(row.label()).isNotBlank();
    assertThat(row.meaning()).isNotBlank();
    assertThat(row.css()).startsWith("item-");
  }

  private static Ledger.Row row(Item item, long bytes) {
    return new Ledger.Row(item, new Amount.Known(bytes));
  }
}
