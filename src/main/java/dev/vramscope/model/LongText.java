package dev.vramscope.model;

import java.util.Locale;

/** Texts from files that are longer than anybody reads, such as a name of a megabyte. */
public final class LongText {
  private static final int MAX_LENGTH = 4000;

  /** Most of the beginning, and the end, which tells similar names apart. */
  private static final int HEAD = 3000;

  private static final int TAIL = 500;

  private LongText() {}

  /**
   * The text, or its beginning and its end with the number of characters between them, if it has
   * more than 4,000.
   */
  public static String shortened(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    int head = Character.isLowSurrogate(text.charAt(HEAD)) ? HEAD - 1 : HEAD;
    int tail = text.length() - TAIL;
    tail = Character.isLowSurrogate(text.charAt(tail)) ? tail + 1 : tail;
    String omitted = String.format(Locale.ROOT, " … (%,d characters) … ", tail - head);
    return text.substring(0, head) + omitted + text.substring(tail);
  }
}
