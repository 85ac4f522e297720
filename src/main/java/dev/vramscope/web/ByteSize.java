package dev.vramscope.web;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads bytes as a person types them: {@code 2 GiB}, {@code 1.5g}, {@code 805306368}. */
final class ByteSize {
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,19}(?:\\.\\d{1,9})?)\\s*([kmgt]?)(?:i?b|bytes?)?");
  private static final Map<String, Long> FACTORS =
      Map.of("", 1L, "k", 1L << 10, "m", 1L << 20, "g", 1L << 30, "t", 1L << 40);

  private ByteSize() {}

  /** The bytes of a parameter; empty when it is missing. KB is taken as KiB, as drivers mean it. */
  static OptionalLong parameter(String name, @Nullable String text) {
    if (text == null || text.isBlank()) {
      return OptionalLong.empty();
    }
    Matcher match = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT).replace(",", ""));
    if (match.matches()) {
      double bytes = Double.parseDouble(match.group(1)) * FACTORS.getOrDefault(match.group(2), 1L);
      if (bytes >= 1 && bytes <= 1L << 50) {
        return OptionalLong.of((long) bytes);
      }
    }
    throw RefusedRequestException.badParameter(
        name, text, "a number of bytes up to 1024 TiB, such as 2 GiB or 805306368");
  }
}
