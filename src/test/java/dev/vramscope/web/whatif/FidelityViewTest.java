package dev.vramscope.web.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Fidelity.Start;
import dev.vramscope.whatif.Variant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FidelityViewTest {
  private static final String EXPANDABLE = "expandable_segments:True";
  private static final String SPLIT = "max_split_size_mb:128";

  @Test
  void replaysOfAWholeRunThatIsReproducedAreExact() {
    FidelityView whole = view(41, Start.WHOLE_RUN, TieBreak.SEGMENT_AGE);
    assertThat(isExactFor(whole, WhatIfSettings.RECORDED, "")).isTrue();
    assertThat(isExactFor(whole, SPLIT, SPLIT)).isTrue();
    assertThat(isExactFor(whole, EXPANDABLE, EXPANDABLE)).isTrue();
  }

  @Test
  void whereTheAddressDecidesOnlyExpandableSegmentsAre() {
    FidelityView whole = view(41, Start.WHOLE_RUN, TieBreak.ADDRESS);
    assertThat(isExactFor(whole, WhatIfSettings.RECORDED, "")).isFalse();
    assertThat(isExactFor(whole, SPLIT, SPLIT)).isFalse();
    assertThat(isExactFor(whole, EXPANDABLE, EXPANDABLE)).isTrue();
    assertThat(isExactFor(whole, WhatIfSettings.RECORDED, EXPANDABLE)).isTrue();
    assertThat(whole.fidelity().tieBreak()).isEqualTo(TieBreak.ADDRESS);
  }

  @Test
  void ofARecordingThatBeginsInMidRunOnlyItsOwnSettingsAre() {
    FidelityView continued = view(41, Start.RECONSTRUCTED, TieBreak.SEGMENT_AGE);
    assertThat(isExactFor(continued, WhatIfSettings.RECORDED, "")).isTrue();
    assertThat(isExactFor(continued, EXPANDABLE, EXPANDABLE)).isFalse();
  }

  @Test
  void withADifferenceNoneIs() {
    assertThat(
            isExactFor(
                view(40, Start.WHOLE_RUN, TieBreak.SEGMENT_AGE), WhatIfSettings.RECORDED, ""))
        .isFalse();
  }

  private static boolean isExactFor(FidelityView view, String name, String settings) {
    return view.isExactFor(name, new Variant.Caching(settings));
  }

  private static FidelityView view(int reproduced, Start start, TieBreak tieBreak) {
    return FidelityView.of(new Fidelity(41, reproduced, 100, 100, start, tieBreak, List.of()));
  }
}
