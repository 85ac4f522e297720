package dev.vramscope.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Numbers of bytes are read with their unit, or not at all. */
class QuantityTest {
  private static final Pattern UNIT = Pattern.compile("Limit: " + Quantity.PATTERN);
  private static final Pattern BARE = Pattern.compile("Limit: " + Quantity.BARE_PATTERN);

  private static Optional<Quantity> read(Pattern pattern, String size) {
    Matcher matcher = pattern.matcher("Limit: " + size);
    return matcher.find() ? Quantity.of(matcher.group(1), matcher.group(2)) : Optional.empty();
  }

  @Test
  void aUnitIsReadAndTheLastDigitIsRounded() {
    for (Pattern pattern : List.of(UNIT, BARE)) {
      assertThat(read(pattern, "256.00MiB")).hasValue(new Quantity(256 << 20, 5243));
      assertThat(read(pattern, "256.00 MiB, and")).hasValue(new Quantity(256 << 20, 5243));
      assertThat(read(pattern, "1.0KiB")).hasValue(new Quantity(1024, 52));
      assertThat(read(pattern, "21.95G.")).hasValue(new Quantity(23_568_633_037L, 5_368_710));
      assertThat(read(pattern, "3 TB")).hasValue(new Quantity(3L << 40, 1L << 39));
      assertThat(read(pattern, "0B")).hasValue(Quantity.exact(0));
      assertThat(read(pattern, "1 byte")).hasValue(Quantity.exact(1));
      assertThat(read(pattern, "8796093022208 bytes.")).hasValue(Quantity.exact(1L << 43));
      assertThat(read(pattern, "1,000,000,000,000 bytes"))
          .hasValue(Quantity.exact(1_000_000_000_000L));
      assertThat(read(pattern, "1.5 bytes")).hasValue(new Quantity(2, 1));
    }
  }

  @Test
  void withoutAUnitItIsANumberOnlyWhereTheProgramWritesBytes() {
    for (String bytes : List.of("0", "256", "18995773440", "1000000000000", "8796093022208")) {
      assertThat(read(UNIT, bytes)).as(bytes).isEmpty();
      for (String end : List.of("", " InUse: 3", " E next", ", next", ". Next", ")", "\n", "; x")) {
        assertThat(read(BARE, bytes + end))
            .as(bytes + end)
            .hasValue(Quantity.exact(Long.parseLong(bytes)));
      }
    }
  }

  @Test
  void theRestOfANumberIsNone() {
    for (String none :
        List.of(
            "256.00", // its unit is cut off
            "256.00Mi",
            "256.00 Mi-",
            "256.00ZiB",
            "256mb",
            "256 mb",
            "256 MBit",
            "2 Gbit",
            "2 gigabytes",
            "12 G",
            "25%",
            "25 %",
            "1e12",
            "1.5e+12 bytes",
            "0x100",
            "-5",
            "-5 MiB",
            "12,34 GiB",
            "1.234,56 MiB",
            "1,2345 bytes",
            "123456789012345678901 bytes",
            "unknown")) {
      assertThat(read(UNIT, none)).as(none).isEmpty();
      assertThat(read(BARE, none)).as(none).isEmpty();
    }
  }

  @Test
  void aRateIsNoSize() {
    for (String size : List.of("256.00MiB", "256 MiB", "1 byte", "12 bytes", "3G", "0B", "256")) {
      for (String per : List.of("/s", "/step", " / s", "/ iteration", " per second", " per GPU")) {
        assertThat(read(UNIT, size + per)).as(size + per).isEmpty();
        assertThat(read(BARE, size + per)).as(size + per).isEmpty();
      }
      // A share of another size has two sizes.
      for (String total : List.of("/512MiB", " / 512 MiB", "/", "/ ", " person")) {
        assertThat(read(BARE, size + total)).as(size + total).isPresent();
      }
    }
  }

  @Test
  void moreThanADeviceHasIsNone() {
    assertThat(read(UNIT, "17179869184.00 GiB")).isEmpty();
    assertThat(read(BARE, "99999999999999999999")).isEmpty();
    assertThat(read(UNIT, "1 EiB")).hasValue(new Quantity(1L << 60, 1L << 59));
  }
}
