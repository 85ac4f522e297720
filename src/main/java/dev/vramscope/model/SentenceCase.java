package dev.vramscope.model;

/** Texts that begin a sentence. */
public final class SentenceCase {
  private SentenceCase() {}

  /** The text with a capital letter at its beginning; what begins with a number stays as it is. */
  public static String of(String text) {
    return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
