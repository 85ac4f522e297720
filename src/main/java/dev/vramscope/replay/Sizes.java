package dev.vramscope.replay;

/** Numbers in BFC traces: decimal or with 0x, and K, M, G or T for powers of 1024. */
final class Sizes {
  private static final String SUFFIXES = "KMGT";

  private Sizes() {}

  static long parse(String text) {
    int suffix = text.isEmpty() ? -1 : SUFFIXES.indexOf(text.charAt(text.length() - 1));
    String digits = suffix < 0 ? text : text.substring(0, text.length() - 1);
    try {
      long number =
          digits.startsWith("0x")
              ? Long.parseUnsignedLong(digits.substring(2), 16)
              : Long.parseLong(digits);
      return Math.multiplyExact(number, 1L << (10 * (suffix + 1)));
    } catch (NumberFormatException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a number below 2^63, optionally followed by K, M, G or T.", e);
    }
  }
}
