package dev.vramscope.intake;

/** Text from an upload as the log may show it: on one line, short, without control characters. */
final class LogText {
  private static final int LONGEST = 200;

  private LogText() {}

  static String escape(String text) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length() && shown.length() < LONGEST; i++) {
      char each = text.charAt(i);
      boolean plain = each >= ' ' && each < 0x7F && each != '\\';
      if (plain || Character.isLetterOrDigit(each)) {
        shown.append(each);
      } else {
        shown.append(String.format("\\u%04x", (int) each));
      }
    }
    return shown.toString();
  }
}
