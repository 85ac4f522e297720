package dev.vramscope.format;

import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** The lines of a text, each cut after a number of characters: a line may be the whole file. */
public final class BoundedLines {
  private final Reader text;
  private final int max;
  private final char[] buffer = new char[1 << 16];
  private int position;
  private int limit;

  /** The lines of a text, which needs no buffer of its own. */
  public BoundedLines(Reader text, int max) {
    this.text = text;
    this.max = max;
  }

  /** The next line without its end and without carriage returns; null at the end of the text. */
  public @Nullable String next() throws IOException {
    StringBuilder begun = null;
    while (position < limit || fill()) {
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      boolean isWhole = end < limit;
      String part = new String(buffer, position, end - position).replace("\r", "");
      position = isWhole ? end + 1 : end;
      if (isWhole && begun == null) {
        return part.length() <= max ? part : part.substring(0, max);
      }
      begun = begun == null ? new StringBuilder() : begun;
      begun.append(part, 0, Math.min(part.length(), max - begun.length()));
      if (isWhole) {
        break;
      }
    }
    return begun == null ? null : begun.toString();
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, text.read(buffer));
    return limit > 0;
  }
}
