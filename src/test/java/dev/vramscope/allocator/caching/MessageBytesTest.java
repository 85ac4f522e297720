package dev.vramscope.allocator.caching;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageBytesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 bytes",
    "1024, 1024 bytes",
    "1025, 1.00 KiB",
    "1152, 1.12 KiB",
    "1408, 1.38 KiB",
    "1048576, 1024.00 KiB",
    "1048577, 1.00 MiB",
    "1073741824, 1024.00 MiB",
    "1073741825, 1.00 GiB",
    "-1, 17179869184.00 GiB"
  })
  void formatsBytesLikePytorch(long bytes, String text) {
    assertEquals(text, MessageBytes.of(bytes));
  }
}
