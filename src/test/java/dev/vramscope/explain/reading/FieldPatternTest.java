package dev.vramscope.explain.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.evidence.Quantity;
import org.junit.jupiter.api.Test;

/** The words without which a pattern does not match. */
class FieldPatternTest {
  @Test
  void theLongestFixedWordOfEachAlternative() {
    assertThat(FieldPattern.words("[Tt]ried to allocate " + Quantity.PATTERN))
        .containsExactly("ried to allocate ");
    assertThat(FieldPattern.words("of which " + Quantity.PATTERN + " is free|x{2} free;"))
        .containsExactly("of which ", " free;");
    assertThat(FieldPattern.words("\\bInUse: ([0-9]{1,20})()")).containsExactly("InUse: ");
    assertThat(FieldPattern.words("Free \\(according to CUDA\\) ?: ?"))
        .containsExactly("according to CUDA");
  }

  @Test
  void whatMayBeMissingIsNotInAWord() {
    assertThat(FieldPattern.words("total capaci?ty of")).containsExactly("total capac");
    assertThat(FieldPattern.words("abcdx*yz")).containsExactly("abcd");
    assertThat(FieldPattern.words("abcdx{0,3}yz")).containsExactly("abcd");
    assertThat(FieldPattern.words("abcdx+yz")).containsExactly("abcdx");
    assertThat(FieldPattern.words("ab(?:cdefg)?hijk")).containsExactly("hijk");
    assertThat(FieldPattern.words("[^\\]abcdef]klmn")).containsExactly("klmn");
    assertThat(FieldPattern.words("(a[)]bcdefg\\))klmn")).containsExactly("klmn");
  }

  @Test
  void anAlternativeWithoutAWordMayBeAnywhere() {
    assertThat(FieldPattern.words("abcd|[0-9]")).isEmpty();
    assertThat(FieldPattern.words("(abcd|efgh)")).isEmpty();
    assertThat(new FieldPattern("[0-9]{3}").matcher("x 123", 0, 5).find()).isTrue();
  }

  @Test
  void onlyThePartOfTheTextIsLookedAt() {
    FieldPattern pattern = new FieldPattern("Limit: ([0-9])");
    assertThat(pattern.matcher("Limit: 5 Limit: 6", 3, 17).find()).isTrue();
    assertThat(pattern.matcher("Limit: 5 Limit: 6", 3, 15).find()).isFalse();
  }
}
