package dev.vramscope.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SharesTest {
  @Test
  void addUpToTheWhole() {
    // Rounded one by one these are 49.1, 50.2 and 0.8: 100.1.
    assertThat(Shares.of(List.of(4905L, 5017L, 78L), 10_000))
        .containsExactly("49.0 %", "50.2 %", "0.8 %");
    assertThat(Shares.of(List.of(1L, 1L, 1L), 3)).containsExactly("33.4 %", "33.3 %", "33.3 %");
    assertThat(Shares.of(List.of(1L, 1L), 4)).containsExactly("25.0 %", "25.0 %");
  }

  @Test
  void smallPartIsNotZero() {
    assertThat(Shares.of(List.of(1L, 999_999L, 0L), 1_000_000))
        .containsExactly("under 0.1 %", "100 %", "0 %");
    assertThat(Shares.of(List.of(5L), 0)).containsExactly("–");
  }
}
