package dev.vramscope.web.display;

import dev.vramscope.analysis.Shares;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.StreamText;
import dev.vramscope.model.Trace;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Formats numbers, times and names for display; templates call it as {@code #format}. */
public final class DisplayFormat {
  static final char ELLIPSIS = '…';

  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  public DisplayFormat() {}

  /** Binary units, such as {@code 63.61 GiB}. */
  public String bytes(long bytes) {
    return ByteText.of(bytes);
  }

  /** Every byte: {@code 1,073,741,824 bytes}. */
  public String exact(long bytes) {
    return count(bytes) + (bytes == 1 ? " byte" : " bytes");
  }

  /** {@code 1,234,567}. */
  public String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** {@code 1 event}, {@code 2,000 events}. */
  public String counted(long count, String singular) {
    return count(count) + " " + (count == 1 ? singular : singular + "s");
  }

  /** {@code 12.3 %}; a share above zero is never shown as zero but as {@code under 0.1 %}. */
  public String share(long part, long whole) {
    if (whole <= 0) {
      return "–";
    }
    double percent = 100.0 * part / whole;
    if (percent > 0 && percent < 0.1) {
      return "under 0.1 %";
    }
    return String.format(Locale.ROOT, percent >= 99.95 || percent == 0 ? "%.0f" : "%.1f", percent)
        + " %";
  }

  /** The parts of a whole as percentages that add up. */
  public List<String> shares(List<Long> parts, long whole) {
    return Shares.of(parts, whole);
  }

  /** A fraction of one as a percentage: {@code 98.4 %}. */
  public String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", fraction * 100);
  }

  /** {@code 1.04}. */
  public String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }

  /** An address: {@code 0x7f0b1c000000}. */
  public String hex(long address) {
    return "0x" + Long.toHexString(address);
  }

  /** A stream: small numbers in decimal, handles in hex. */
  public String stream(long stream) {
    return StreamText.of(stream);
  }

  /** An enumeration constant in lower case: {@code pending free}. */
  public String lower(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** A time in UTC: {@code 2026-05-01 09:00:12}. */
  public String timestamp(Instant time) {
    return TIMESTAMP.format(time);
  }

  /** A time in microseconds since 1970, in UTC; {@code unknown} for {@link Trace#NO_TIME}. */
  public String timestamp(long micros) {
    return micros == Trace.NO_TIME
        ? "unknown"
        : TIMESTAMP.format(
            Instant.EPOCH.plusNanos(micros % 1_000_000 * 1000).plusSeconds(micros / 1_000_000));
  }

  /** A duration with three significant digits: {@code 12.3 ms}, {@code 3.2 min}. */
  public String duration(long micros) {
    Duration length = Duration.ofNanos(micros * 1000);
    if (length.toMinutes() >= 1) {
      return threeDigits(micros / 60e6) + " min";
    }
    if (length.toSeconds() >= 1) {
      return threeDigits(micros / 1e6) + " s";
    }
    return length.toMillis() >= 1 ? threeDigits(micros / 1e3) + " ms" : micros + " µs";
  }

  /**
   * A duration with three significant digits, in ns or a larger unit: {@code 87 ns}, {@code 1.25
   * µs}.
   */
  public String nanos(long nanos) {
    if (nanos < 1000) {
      return nanos + " ns";
    }
    return nanos < 1_000_000 ? threeDigits(nanos / 1e3) + " µs" : duration(nanos / 1000);
  }

  /** The time since then, in one unit: {@code 3 hours ago}. */
  public String ago(Instant time) {
    long seconds = Math.max(0, Duration.between(time, Instant.now()).toSeconds());
    if (seconds < 60) {
      return "just now";
    }
    if (seconds < 3600) {
      return counted(seconds / 60, "minute") + " ago";
    }
    return seconds < 86_400
        ? counted(seconds / 3600, "hour") + " ago"
        : counted(seconds / 86_400, "day") + " ago";
  }

  /** Shortens the middle of a long name; C++ function names reach thousands of characters. */
  public String elided(String text, int length) {
    return elided(text, length, length / 3);
  }

  /** Replaces the middle of a text longer than {@code length}, keeping {@code tail} of its end. */
  static String elided(String text, int length, int tail) {
    return text.length() <= length
        ? text
        : text.substring(0, length - tail - 1) + ELLIPSIS + text.substring(text.length() - tail);
  }

  /** The first sentences that fit into {@code length}, or else the first words that fit. */
  public String sentences(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    int end = text.lastIndexOf(". ", length - 1);
    if (end > 0) {
      return text.substring(0, end + 1);
    }
    int space = text.lastIndexOf(' ', length - 1);
    return text.substring(0, space > 0 ? space : length - 1) + ELLIPSIS;
  }

  /** The last element of a path of any operating system; empty if the path is a root. */
  public String fileName(String path) {
    int end = path.length();
    while (end > 0 && isSeparator(path.charAt(end - 1))) {
      end--;
    }
    int start = end;
    while (start > 0 && !isSeparator(path.charAt(start - 1))) {
      start--;
    }
    return path.substring(start, end);
  }

  private static boolean isSeparator(char character) {
    return character == '/' || character == '\\';
  }

  private static String threeDigits(double value) {
    double size = Math.abs(value);
    int digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
    String text = String.format(Locale.ROOT, "%." + digits + "f", value);
    return digits == 0 ? text : text.replaceFirst("\\.?0+$", "");
  }
}
