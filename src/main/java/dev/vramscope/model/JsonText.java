package dev.vramscope.model;

/** Strings as JSON, without a generator. */
public final class JsonText {
  private JsonText() {}

  /**
   * Appends a string with its quotes. Unsafe characters are escaped, as {@link JsonEscapes} does;
   * the result is valid UTF-16, whatever the text is.
   */
  public static void append(StringBuilder out, String text) {
    out.append('"');
    for (int at = 0; at < text.length(); ) {
      int codePoint = text.codePointAt(at);
      if (codePoint == '"' || codePoint == '\\') {
        out.append('\\').append((char) codePoint);
      } else if (VisibleText.isUnsafe(codePoint)) {
        VisibleText.appendEscape(out, codePoint);
      } else {
        out.appendCodePoint(codePoint);
      }
      at += Character.charCount(codePoint);
    }
    out.append('"');
  }
}
