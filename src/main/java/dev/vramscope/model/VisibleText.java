package dev.vramscope.model;

import java.util.function.IntPredicate;

/**
 * Text from files, names and logs, made safe to show. Characters that control a terminal, end a
 * line of a log, turn the direction of the text around or are no text at all are replaced by
 * escapes that a reader sees, such as {@code \}{@code u001b} for ESC.
 *
 * <p>The escapes are those of JSON. A JSON document in which the generator has escaped quotation
 * marks and backslashes therefore keeps its meaning; in other formats the escape is what is shown.
 */
public final class VisibleText {
  private static final char FIRST_PRINTABLE = ' ';
  private static final char LAST_ASCII_PRINTABLE = '~';
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private VisibleText() {}

  /**
   * Whether a code point must not be written as it is: a control character (also a line end or a
   * tab), a line or paragraph separator, half of a surrogate pair, or a format character, such as
   * U+202E, which reverses the text behind it. The exceptions among the format characters are those
   * that only join or separate letters: U+00AD and U+200B to U+200D.
   */
  public static boolean isUnsafe(int codePoint) {
    if (codePoint >= FIRST_PRINTABLE && codePoint <= LAST_ASCII_PRINTABLE) {
      return false;
    }
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      case Character.FORMAT -> codePoint != 0x00AD && (codePoint < 0x200B || codePoint > 0x200D);
      default -> false;
    };
  }

  /** The text with unsafe characters escaped, except line ends, which become LF, and tabs. */
  public static String of(String text) {
    String lines = text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n");
    return escaped(
        lines, codePoint -> codePoint != '\n' && codePoint != '\t' && isUnsafe(codePoint));
  }

  /** The text in one line: with all unsafe characters escaped, also line ends and tabs. */
  public static String line(String text) {
    return escaped(text, VisibleText::isUnsafe);
  }

  /**
   * The text with halves of surrogate pairs escaped, which no encoding can represent. For data that
   * no person reads as it is.
   */
  public static String wellFormed(String text) {
    return escaped(text, codePoint -> Character.getType(codePoint) == Character.SURROGATE);
  }

  private static String escaped(String text, IntPredicate isEscaped) {
    StringBuilder out = null; // Most texts need none.
    int codePoint;
    for (int at = 0; at < text.length(); at += Character.charCount(codePoint)) {
      codePoint = text.codePointAt(at);
      if (isEscaped.test(codePoint)) {
        if (out == null) {
          out = new StringBuilder(text.length() + 16).append(text, 0, at);
        }
        appendEscape(out, codePoint);
      } else if (out != null) {
        out.appendCodePoint(codePoint);
      }
    }
    return out == null ? text : out.toString();
  }

  /** Appends the escape of a code point: one for each of its UTF-16 units. */
  public static void appendEscape(StringBuilder out, int codePoint) {
    switch (codePoint) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        for (char unit : Character.toChars(codePoint)) {
          out.append("\\u");
          for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEX[unit >> shift & 15]);
          }
        }
      }
    }
  }
}
