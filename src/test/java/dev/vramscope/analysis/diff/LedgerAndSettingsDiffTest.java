package dev.vramscope.analysis.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.model.AllocatorSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerAndSettingsDiffTest {
  private static Ledger ledger(long live, Amount free) {
    return new Ledger(
        List.of(
            new Ledger.Row(Item.LIVE_REQUESTED, new Amount.Known(live)),
            new Ledger.Row(Item.DEVICE_FREE, free)),
        live,
        new Amount.AtLeast(live, "the most that was held"),
        new Amount.Unknown("no size"));
  }

  @Test
  void unknownAmountHasNoDifference() {
    LedgerDiff diff =
        LedgerDiff.of(
            ledger(100, new Amount.Known(7)), ledger(70, new Amount.Unknown("not recorded")));
    assertThat(diff.rows())
        .extracting(LedgerDiff.Row::item)
        .containsExactly(Item.LIVE_REQUESTED, Item.DEVICE_FREE);
    assertThat(diff.rows().getFirst().amounts().differenceBytes()).hasValue(-30);
    assertThat(diff.rows().getLast().amounts().differenceBytes()).isEmpty();
    assertThat(diff.reserved().differenceBytes()).hasValue(-30);
    assertThat(diff.total().differenceBytes()).as("a lower bound").isEmpty();
  }

  @Test
  void onlySettingsThatDifferAreRows() {
    Optional<AllocatorSettings> first =
        Optional.of(new AllocatorSettings(Map.of("a", "1", "b", "2", "c", "3")));
    Optional<AllocatorSettings> second =
        Optional.of(new AllocatorSettings(Map.of("a", "1", "b", "5", "d", "")));
    SettingsDiff diff = SettingsDiff.of(first, second);
    assertThat(diff.rows())
        .containsExactly(
            new SettingsDiff.Row("b", "2", "5"),
            new SettingsDiff.Row("c", "3", null),
            new SettingsDiff.Row("d", null, ""));
    assertThat(diff.equalCount()).isEqualTo(1);
    assertThat(diff.isKnown()).isTrue();
    assertThat(SettingsDiff.of(first, Optional.empty()).isKnown()).isFalse();
  }
}
