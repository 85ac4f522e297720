package dev.vramscope.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "512, 512",
    "805306368, 805306368",
    "'805,306,368', 805306368",
    "100 bytes, 100",
    "1 byte, 1",
    "100B, 100",
    "1.9, 1",
    "2k, 2048",
    "2K, 2048",
    "2KB, 2048",
    "2KiB, 2048",
    "512 MB, 536870912",
    "16GiB, 17179869184",
    "16 GiB, 17179869184",
    "16gib, 17179869184",
    "2 gb, 2147483648",
    "1.5g, 1610612736",
    "0.5 KiB, 512",
    "'1,024.5 KiB', 1049088",
    "1 TiB, 1099511627776",
    "1024 TiB, 1125899906842624",
    "1125899906842624, 1125899906842624",
    "'  2 GiB  ', 2147483648"
  })
  void parsesSizesAsPeopleTypeThem(String text, long bytes) {
    assertThat(ByteSize.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "much", "-1", "+1", "1e9", "0x10", "1 PiB", "2 GiB x", "GiB", ".5g", "1.g",
        "1,5 GiB", "1,5,0", "2 Gi", "1 2"
      })
  void rejectsTextThatIsNotASize(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'%s' is not a number of bytes up to 1024 TiB, such as 2GiB, 1.5 g or 805306368", text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0 GiB", "0.9", "0.0001k"})
  void rejectsLessThanOneByte(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'%s' is less than 1 byte", text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1025 TiB", "1125899906842625", "9999999999TiB", "999999999999999999999999"})
  void rejectsMoreThanTheLargestSize(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'%s' is more than 1024 TiB", text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "1000, 1000",
    "1024, 1KiB",
    "1536, 1536",
    "1610612736, 1536MiB",
    "17179869184, 16GiB",
    "1099511627776, 1TiB",
    "1125899906842624, 1024TiB"
  })
  void formatsWithTheLargestUnitThatNeedsNoFraction(long bytes, String text) {
    assertThat(ByteSize.format(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1000, 2 << 20, 805306368, 16L << 30, 1L << 50})
  void parsesWhatItFormats(long bytes) {
    assertThat(ByteSize.parse(ByteSize.format(bytes))).isEqualTo(bytes);
  }
}
