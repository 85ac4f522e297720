package dev.vramscope.format.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PickleTextsTest {
  @Test
  void stringsWithEqualHashCodesDoNotCollide() throws Exception {
    PickleTexts table = new PickleTexts(1 << 20, List.of());
    int bits = 14;
    for (int i = 0; i < 1 << bits; i++) {
      // "Aa" and "BB" have the same String.hashCode.
      StringBuilder text = new StringBuilder();
      for (int bit = 0; bit < bits; bit++) {
        text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      assertThat(table.intern(text.toString())).isEqualTo(i);
    }
    long probes = 0;
    for (int number = 0; number < table.size(); number++) {
      probes += table.probeCount(number);
    }
    // Linear probing in a table that is at most half full reads 1.5 slots on average.
    assertThat(probes).isLessThan(3L << bits);
  }
}
