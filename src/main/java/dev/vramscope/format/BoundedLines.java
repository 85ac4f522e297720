package dev.vramscope.format;

import java.io.BufferedReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The lines of a text, each cut after a number of characters: a line may be the whole file. */
public final class BoundedLines {
  private final BufferedReader text;
  private final int max;

  public BoundedLines(BufferedReader text, int max) {
    this.text = text;
    this.max = max;
  }

  /** The next line without its end; null at the end of the text. */
  public @Nullable String next() throws IOException {
    StringBuilder line = new StringBuilder();
    int each = text.read();
    if (each < 0) {
      return null;
    }
    while (each >= 0 && each != '\n') {
      if (line.length() < max && each != '\r') {
        line.append((char) each);
      }
      each = text.read();
    }
    return line.toString();
  }
}
