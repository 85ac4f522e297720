package dev.vramscope.allocator.caching.configuration;

import dev.vramscope.allocator.caching.configuration.ConfigurationException.Kind;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses numbers like C's {@code strtoull} and {@code strtod}: the longest prefix that is a number
 * is used, the rest is ignored, and a minus sign negates an unsigned number modulo 2^64.
 */
final class NumberPrefix {
  private static final Pattern UNSIGNED = Pattern.compile("[+-]?[0-9]+");
  private static final Pattern REAL =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  private static final Pattern HEXADECIMAL_REAL =
      Pattern.compile("[+-]?0[xX]([0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)([pP][+-]?[0-9]+)?");
  private static final Pattern INFINITE = Pattern.compile("[+-]?(?i:infinity|inf)");
  private static final Pattern NOT_A_NUMBER = Pattern.compile("[+-]?(?i:nan)");

  private static final BigInteger UNSIGNED_LIMIT = BigInteger.ONE.shiftLeft(64);

  private NumberPrefix() {}

  static long unsigned(String text) {
    Matcher matcher = UNSIGNED.matcher(text);
    if (!matcher.lookingAt()) {
      throw notANumber("stoull");
    }
    BigInteger value = new BigInteger(matcher.group());
    if (value.abs().compareTo(UNSIGNED_LIMIT) >= 0) {
      throw notANumber("stoull");
    }
    return value.longValue();
  }

  static double real(String text) {
    Matcher hexadecimal = HEXADECIMAL_REAL.matcher(text);
    if (hexadecimal.lookingAt()) {
      String digits = hexadecimal.group();
      return inRange(Double.parseDouble(hexadecimal.group(2) == null ? digits + "p0" : digits));
    }
    Matcher decimal = REAL.matcher(text);
    if (decimal.lookingAt()) {
      return inRange(Double.parseDouble(decimal.group()));
    }
    if (INFINITE.matcher(text).lookingAt()) {
      return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    if (NOT_A_NUMBER.matcher(text).lookingAt()) {
      return Double.NaN;
    }
    throw notANumber("stod");
  }

  /** A decimal number too large for a double is out of range, as in C++. */
  private static double inRange(double value) {
    if (Double.isInfinite(value)) {
      throw notANumber("stod");
    }
    return value;
  }

  private static ConfigurationException notANumber(String function) {
    return new ConfigurationException(Kind.NUMBER, function);
  }
}
