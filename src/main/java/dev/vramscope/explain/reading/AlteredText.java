package dev.vramscope.explain.reading;

/**
 * Undoes what terminals, loggers and people do to a log between the program and whoever reads it.
 * Every line keeps its number.
 */
public final class AlteredText {
  private AlteredText() {}

  /** The text as it was written, as far as that can be told. */
  public static String restored(String text) {
    return BrokenWords.joined(WrappedLines.joined(LinePrefix.withoutOnly(PlainText.of(text))));
  }
}
