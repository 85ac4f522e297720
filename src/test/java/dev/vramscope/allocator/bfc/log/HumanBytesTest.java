package dev.vramscope.allocator.bfc.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HumanBytesTest {
  @Test
  void roundsExactTiesToEven() {
    assertEquals("1.2KiB", HumanBytes.text(1280));
    assertEquals("2.2KiB", HumanBytes.text(2304));
    assertEquals("1.12MiB", HumanBytes.text((1 << 20) + (1 << 17)));
    assertEquals("1.38MiB", HumanBytes.text((1 << 20) + 3 * (1 << 17)));
  }

  @Test
  void unitsChangeAtPowersOf1024() {
    assertEquals("0B", HumanBytes.text(0));
    assertEquals("1023B", HumanBytes.text(1023));
    assertEquals("1.0KiB", HumanBytes.text(1024));
    assertEquals("1024.0KiB", HumanBytes.text((1 << 20) - 1));
    assertEquals("1.00MiB", HumanBytes.text(1 << 20));
    assertEquals("4.00EiB", HumanBytes.text(1L << 62));
  }

  @Test
  void formatsNegativeSizes() {
    assertEquals("-100B", HumanBytes.text(-100));
    assertEquals("-2.00MiB", HumanBytes.text(-(2 << 20)));
  }

  @Test
  void formatsUnsignedSizesOfTwoToThe63AndMore() {
    assertEquals("8.00EiB", HumanBytes.unsignedText(Long.MIN_VALUE));
    assertEquals("16.00EiB", HumanBytes.unsignedText(-1));
  }
}
