package dev.vramscope.live.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading and writing scripts. */
class ScriptTest {
  @Test
  void everyOperationIsReadAndWritten() {
    String text =
        """
        # a step
        malloc 1 64MiB 2
        malloc 2 512
        free 1
        record_stream 2 1
        launch 2 1
        finish 1
        sync 1
        sync_all
        empty_cache
        external 1GiB
        external 0
        set_fraction 0.5
        """;
    Script script = Script.parse("\n" + text + "\n   \n");
    assertThat(script.operations()).hasSize(13);
    assertThat(script.text()).startsWith("# a step\nmalloc 1 67108864 2\nmalloc 2 512 0\nfree 1");
    assertThat(Script.parse(script.text())).isEqualTo(script);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "mallox 1 2 3 | There is no operation 'mallox'",
        "malloc 1 | 'malloc' needs more words",
        "malloc x 1MiB 0 | 'x' is not a block's number",
        "malloc 1 0 0 | '0' is less than 1 byte",
        "malloc 1 -5 0 | '-5' is not a number of bytes",
        "malloc 1 1MiB 8 | '8' is not a stream from 0 to 7",
        "free 1 2 | '2' is one word too many",
        "set_fraction 1.5 | '1.5' is not a number from 0 to 1",
        "free 99999999999999999999 | is not a block's number",
      })
  void anUnreadableLineIsNamed(String line, String message) {
    assertThatThrownBy(() -> Script.parse("# one\n\n" + line))
        .isInstanceOf(ScriptException.class)
        .hasMessageContaining(message)
        .satisfies(e -> assertThat(((ScriptException) e).where()).isEqualTo("line 3"))
        .satisfies(e -> assertThat(((ScriptException) e).next()).isNotBlank());
  }

  @Test
  void lengthIsLimited() {
    assertThatThrownBy(() -> Script.parse("free 1\n".repeat(Script.MAX_OPERATIONS + 1)))
        .isInstanceOf(ScriptException.class)
        .hasMessageContaining("more than 20,000 operations");
    assertThatThrownBy(() -> Script.parse("#" + "x".repeat(Script.MAX_CHARACTERS)))
        .isInstanceOf(ScriptException.class);
    assertThat(Script.parse("#" + "x".repeat(5000)).text()).hasSize(202);
  }
}
