package dev.vramscope.web.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Fidelity.Start;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.replays.WhatIfSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which rows could be others, since the replay does not repeat the whole recording exactly. */
class EstimatedRowsTest {
  private static final String EXPANDABLE = "expandable_segments:True";
  private static final String SPLIT = "max_split_size_mb:128";

  @Test
  void replaysOfAWholeRunThatIsReproducedAreExact() {
    Fidelity whole = fidelity(41, Start.WHOLE_RUN, TieBreak.SEGMENT_AGE);
    assertThat(isExactFor(whole, WhatIfSettings.RECORDED, "")).isTrue();
    assertThat(isExactFor(whole, SPLIT, SPLIT)).isTrue();
    assertThat(isExactFor(whole, EXPANDABLE, EXPANDABLE)).isTrue();
  }

  @Test
  void whereTheAddressDecidesOnlyExpandableSegmentsAre() {
    Fidelity whole = fidelity(41, Start.WHOLE_RUN, TieBreak.ADDRESS);
    assertThat(isExactFor(whole, WhatIfSettings.RECORDED, "")).isFalse();
    assertThat(isExactFor(whole, SPLIT, SPLIT)).isFalse();
    assertThat(isExactFor(whole, EXPANDABLE, EXPANDABLE)).isTrue();
    assertThat(isExactFor(whole, WhatIfSettings.RECORDED, EXPANDABLE)).isTrue();
  }

  @Test
  void ofARecordingThatBeginsInMidRunOnlyItsOwnSettingsAre() {
    Fidelity continued = fidelity(41, Start.RECONSTRUCTED, TieBreak.SEGMENT_AGE);
    assertThat(isExactFor(continued, WhatIfSettings.RECORDED, "")).isTrue();
    assertThat(isExactFor(continued, EXPANDABLE, EXPANDABLE)).isFalse();
  }

  @Test
  void withADifferenceNoneIs() {
    assertThat(
            isExactFor(
                fidelity(40, Start.WHOLE_RUN, TieBreak.SEGMENT_AGE), WhatIfSettings.RECORDED, ""))
        .isFalse();
  }

  private static boolean isExactFor(Fidelity fidelity, String name, String settings) {
    return !WhatIfView.isEstimated(
        new WhatIfSettings(name, new Variant.Caching(settings)), fidelity);
  }

  private static Fidelity fidelity(int reproduced, Start start, TieBreak tieBreak) {
    return new Fidelity(41, reproduced, 100, 100, start, tieBreak, List.of());
  }
}
