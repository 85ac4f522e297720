package dev.vramscope.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LongTextTest {
  @Test
  void textThatAPersonReadsIsAsItWas() {
    String text = "é".repeat(4000);
    assertThat(LongText.shortened(text)).isSameAs(text);
  }

  @Test
  void beginningAndEndOfALongerTextRemain() {
    String text = "a".repeat(3000) + "b".repeat(1_000_000) + "c".repeat(500);
    assertThat(LongText.shortened(text))
        .isEqualTo("a".repeat(3000) + " … (1,000,000 characters) … " + "c".repeat(500));
  }

  @Test
  void pairsOfSurrogatesAreNotDivided() {
    for (String before : new String[] {"", "a"}) {
      String shortened = LongText.shortened(before + "😀".repeat(10_000));
      assertThat(shortened.length()).isLessThan(4000);
      assertThat(shortened.chars().filter(unit -> Character.isHighSurrogate((char) unit)).count())
          .isEqualTo(shortened.codePoints().filter(Character::isSupplementaryCodePoint).count());
    }
  }
}
