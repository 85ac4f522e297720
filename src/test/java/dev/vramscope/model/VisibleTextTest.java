package dev.vramscope.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class VisibleTextTest {
  private static final JsonMapper PLAIN = JsonMapper.builder().build();
  private static final JsonMapper ESCAPING = JsonMapper.builder(JsonEscapes.factory()).build();

  /** Each is drawn as often as all letters together. */
  private static final List<String> SPECIAL =
      List.of(
          "\u0000",
          "\u001b",
          "\b",
          "\r",
          "\n",
          "\r\n",
          "\t",
          "\u007f",
          "\u0085",
          "\u009b",
          "\u00ad",
          "\u061c",
          "\u200b",
          "\u200d",
          "\u200f",
          "\u2028",
          "\u202e",
          "\u2066",
          "\ufeff",
          "\ud83d",
          "\ude00",
          "😀",
          "\udb40\udc41",
          "\\",
          "\"",
          "é",
          "日");

  @Test
  void everyCodePointIsSafeOrEscaped() {
    for (int each = 0; each <= Character.MAX_CODE_POINT; each++) {
      String text = Character.toString(each);
      String line = VisibleText.line(text);
      if (VisibleText.isUnsafe(each)) {
        assertThat(line).as("U+%04X", each).matches("(\\\\[nrt]|\\\\u[0-9a-f]{4}){1,2}");
      } else {
        assertThat(line).isSameAs(text);
      }
    }
  }

  @Test
  void controlsDirectionsSeparatorsAndHalvesAreUnsafe() {
    assertThat(VisibleText.line("\u001b[31m\u0007\u009b\u202e\u2028\ufeff\ud800\u0000\u007f"))
        .isEqualTo("\\u001b[31m\\u0007\\u009b\\u202e\\u2028\\ufeff\\ud800\\u0000\\u007f");
    assertThat(VisibleText.line("größe 日本 😀 👩\u200d💻 a\u00adb می\u200cخواهم"))
        .isEqualTo("größe 日本 😀 👩\u200d💻 a\u00adb می\u200cخواهم");
  }

  @Test
  void onlyLineEndsAndTabsAreKept() {
    assertThat(VisibleText.of("a\r\nb\nc\td\re\r\r\n")).isEqualTo("a\nb\nc\td\\re\\r\n");
    assertThat(VisibleText.line("a\r\nb\nc\td")).isEqualTo("a\\r\\nb\\nc\\td");
  }

  @Test
  void randomTexts() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      String text = text(random);
      String visible = VisibleText.of(text);
      String line = VisibleText.line(text);
      assertThat(line.codePoints()).as("seed 1, %s", i).noneMatch(VisibleText::isUnsafe);
      assertThat(VisibleText.of(visible)).isEqualTo(visible);
      assertThat(VisibleText.line(line)).isEqualTo(line);
      assertThat(encoded(VisibleText.wellFormed(text))).isEqualTo(VisibleText.wellFormed(text));
      // JSON keeps its meaning, whoever has escaped it.
      StringBuilder quoted = new StringBuilder();
      JsonText.append(quoted, text);
      for (String json :
          List.of(
              quoted.toString(),
              VisibleText.of(PLAIN.writeValueAsString(text)),
              ESCAPING.writeValueAsString(text),
              new String(ESCAPING.writeValueAsBytes(text), StandardCharsets.UTF_8))) {
        assertThat(json.codePoints()).noneMatch(VisibleText::isUnsafe);
        assertThat(PLAIN.readValue(json, String.class)).isEqualTo(text);
      }
    }
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(12); left > 0; left--) {
      text.append(
          random.nextBoolean()
              ? SPECIAL.get(random.nextInt(SPECIAL.size()))
              : Character.toString('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  /** Encoded and decoded again. */
  private static String encoded(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
