package dev.vramscope.format.export;

/** Strings as JSON. */
final class JsonText {
  private static final char[] HEX = "0123456789abcdef".toCharArray();
  private static final char FIRST_PRINTABLE = ' ';

  private JsonText() {}

  /** Appends a string with its quotes. */
  static void append(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < FIRST_PRINTABLE) {
            out.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 15]);
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
