package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "512, 512",
    "2GiB, 2147483648",
    "2 gb, 2147483648",
    "1.5g, 1610612736",
    "'805,306,368', 805306368",
    "80 GiB, 85899345920",
    "1 TiB, 1099511627776",
    "100 bytes, 100"
  })
  void readsWhatAPersonTypes(String text, long bytes) {
    assertThat(ByteSize.parameter("bytes", text)).hasValue(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"much", "-1", "0", "1 PiB", "1e9", "999999999999999999999999", "2 GiB x"})
  void refusesWhatIsNoSize(String text) {
    assertThatThrownBy(() -> ByteSize.parameter("bytes", text))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("bytes is " + text);
  }

  @Test
  void nothingGivenIsNothing() {
    assertThat(ByteSize.parameter("bytes", null)).isEmpty();
    assertThat(ByteSize.parameter("bytes", " ")).isEmpty();
  }
}
