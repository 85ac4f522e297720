package dev.vramscope.web.display;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GroupedDigitsTest {
  @Test
  void readsNumbersAsThePagesPrintThem() {
    assertThat(GroupedDigits.ungrouped("987,715")).isEqualTo("987715");
    assertThat(GroupedDigits.ungrouped("1,987,715-2,000,000")).isEqualTo("1987715-2000000");
    assertThat(new GroupedDigits().convert("-1,000")).isEqualTo(-1000);
    assertThat(new GroupedDigits().convert("12")).isEqualTo(12);
    assertThat(new GroupedDigits().convert("  ")).isNull();
  }

  @Test
  void leavesOtherCommasAlone() {
    for (String text : new String[] {"1,2", "12,34", "1234,567", "1,2345", "alloc,free"}) {
      assertThat(GroupedDigits.ungrouped(text)).isEqualTo(text);
    }
    assertThatThrownBy(() -> new GroupedDigits().convert("1,2"))
        .isInstanceOf(NumberFormatException.class);
  }
}
