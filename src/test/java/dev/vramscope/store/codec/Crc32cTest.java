package dev.vramscope.store.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Crc32cTest {
  private static final byte[] DIGITS = "123456789".getBytes(StandardCharsets.US_ASCII);
  private static final long CHECK_VALUE = 0xE3069283L; // RFC 3720's polynomial.

  @Test
  void checkValueIsThatOfTheAlgorithm() {
    assertThat(Crc32c.of(DIGITS)).isEqualTo(CHECK_VALUE);
    assertThat(Crc32c.hex(Crc32c.of(DIGITS))).isEqualTo("e3069283");
    assertThat(Crc32c.hex(0)).isEqualTo("00000000");
  }

  @Test
  void partsAreOneSequence() {
    byte[] first = {'1', '2'};
    byte[] rest = "3456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(Crc32c.of(first, rest)).isEqualTo(CHECK_VALUE);
  }

  @Test
  void bytesBeforeTheStartAreLeftOut() {
    byte[] bytes = "head123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(Crc32c.from(4, bytes)).isEqualTo(CHECK_VALUE);
  }

  @Test
  void fileIsReadToItsEnd(@TempDir Path folder) throws IOException {
    byte[] bytes = new byte[300_000];
    bytes[bytes.length - 1] = 1;
    Path file = Files.write(folder.resolve("file"), bytes);
    assertThat(Crc32c.of(file))
        .isEqualTo(Crc32c.of(bytes))
        .isNotEqualTo(Crc32c.of(new byte[300_000]));
  }
}
