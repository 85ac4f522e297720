package dev.vramscope.intake;

/** Escapes text from an upload for the log: one line, short, without control characters. */
final class LogText {
  private static final int MAX_LENGTH = 200;

  private LogText() {}

  static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length() && escaped.length() < MAX_LENGTH; i++) {
      char each = text.charAt(i);
      boolean plain = each >= ' ' && each < 0x7F && each != '\\';
      if (plain || Character.isLetterOrDigit(each)) {
        escaped.append(each);
      } else {
        escaped.append(String.format("\\u%04x", (int) each));
      }
    }
    return escaped.toString();
  }
}
