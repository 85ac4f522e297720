package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotsApiTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../etc/passwd",
        "a\r\nSet-Cookie: x=1",
        "\"; filename=evil.exe",
        ".hidden",
        "",
        "C:\\x\\y.pickle",
        "日本.pickle"
      })
  void downloadNameContainsNoPathOrHeaderCharacters(String name) {
    var shown = SnapshotsApi.attachment(name);
    assertThat(shown.getFilename()).isNotEmpty().doesNotContain("/", "\\", "\"", "\r", "\n");
    assertThat(shown.getFilename()).doesNotStartWith(".");
    assertThat(shown.toString()).startsWith("attachment;").doesNotContain("\r", "\n");
  }
}
