package dev.vramscope.whatif.replays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.TruthCase;
import dev.vramscope.whatif.Combinations;
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
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class WhatIfTest {
  private final TruthCase truth = TruthCase.of("whatif/train_oom");
  private final RecordedRun run = RecordedRun.of(truth.snapshot(), truth.device());
  private final DeviceSize size = DeviceSize.of(truth.number("totalBytes", 0), 0);

  @Test
  void rowsAreThoseOfSingleReplaysInTheOrderOfTheVariants() {
    List<Variant> variants = Combinations.usual("", false);
    WhatIf whatIf = new WhatIf(run, size, variants);
    assertThat(whatIf.hasEnded()).isFalse();
    List<WhatIfRow> expected = new ArrayList<>();
    for (Variant variant : variants) {
      expected.add(new WhatIfRow.Replayed(variant, Replay.run(run, variant, size, new Progress())));
    }
    assertThat(whatIf.run(3)).isEqualTo(expected);
    assertThat(whatIf.hasEnded()).isTrue();
  }

  @Test
  void everythingFitsOnADeviceWithoutLimit() {
    List<WhatIfRow> rows =
        new WhatIf(run, DeviceSize.UNLIMITED, Combinations.usual("", false)).run(2);
    assertThat(rows).allMatch(row -> outcome(row).fits());
  }

  @Test
  void refusedSettingsDoNotStopTheOthers() {
    List<Variant> variants =
        List.of(new Variant.Caching("max_split_size_mb:5"), new Variant.Caching(""));
    List<WhatIfRow> rows = new WhatIf(run, size, variants).run(1);
    assertThat(rows.getFirst())
        .isInstanceOfSatisfying(
            WhatIfRow.Refused.class, row -> assertThat(row.reason()).contains("max_split_size_mb"));
    assertThat(rows.getLast()).isInstanceOf(WhatIfRow.Replayed.class);
  }

  @Test
  void cancelledReplaysStayUnfinished() {
    List<Variant> variants = Combinations.searched("");
    WhatIf whatIf = new WhatIf(run, size, variants);
    whatIf.cancel();
    assertThatThrownBy(() -> whatIf.run(2)).isInstanceOf(CancellationException.class);
    assertThat(whatIf.rows()).noneMatch(row -> row instanceof WhatIfRow.Replayed);
  }

  @Test
  void aReplayThatTakesTooLongIsEnded() {
    Progress noTime = new Progress(Duration.ZERO);
    assertThatThrownBy(() -> Replay.run(run, new Variant.Direct(), size, noTime))
        .isInstanceOf(ReplayLimitException.class)
        .hasMessageContaining("0 seconds");
  }

  @Test
  void aSearchCombinesSixtySettings() {
    List<Variant> all = Combinations.searched("");
    assertThat(all).hasSize(60).doesNotHaveDuplicates().first().isEqualTo(new Variant.Caching(""));
    assertThat(Combinations.searched("garbage_collection_threshold:0.8"))
        .hasSize(60)
        .allMatch(variant -> variant.label().startsWith("garbage_collection_threshold:0.8"));
  }

  private static Outcome outcome(WhatIfRow row) {
    return ((WhatIfRow.Replayed) row).outcome();
  }
}
