package dev.vramscope.explain.reading;

/**
 * Undoes what terminals, loggers and people do to a log between the program and whoever reads it.
 * Every line keeps its number.
 */
public final class AlteredText {
  private AlteredText() {}

  /**
   * The text as it was written, as far as that can be told. Where several programs wrote the lines,
   * the next line may be another program's: nothing is joined then.
   */
  public static String restored(String text) {
    String plain = LinePrefix.withoutOnly(PlainText.of(text));
    return LinePrefix.of(plain).isPresent()
        ? plain
        : BrokenWords.joined(WrappedLines.joined(plain));
  }
}
