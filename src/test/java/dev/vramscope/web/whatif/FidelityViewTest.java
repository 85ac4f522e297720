package dev.vramscope.web.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Fidelity.Start;
import java.util.List;
import org.junit.jupiter.api.Test;

class FidelityViewTest {
  private static final String OTHER = "expandable_segments:True";

  @Test
  void replaysOfAWholeRunThatIsReproducedAreExact() {
    FidelityView whole = view(41, Start.WHOLE_RUN);
    assertThat(whole.isExactFor(WhatIfSettings.RECORDED)).isTrue();
    assertThat(whole.isExactFor(OTHER)).isTrue();
  }

  @Test
  void ofARecordingThatBeginsInMidRunOnlyItsOwnSettingsAre() {
    FidelityView continued = view(41, Start.RECONSTRUCTED);
    assertThat(continued.isExactFor(WhatIfSettings.RECORDED)).isTrue();
    assertThat(continued.isExactFor(OTHER)).isFalse();
  }

  @Test
  void withADifferenceNoneIs() {
    assertThat(view(40, Start.WHOLE_RUN).isExactFor(WhatIfSettings.RECORDED)).isFalse();
  }

  private static FidelityView view(int reproduced, Start start) {
    return FidelityView.of(new Fidelity(41, reproduced, 100, 100, start, List.of()));
  }
}
