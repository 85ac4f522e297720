package dev.vramscope.web.display;

import dev.vramscope.model.VisibleText;
import java.io.IOException;
import java.io.Writer;

/**
 * Writes text of pages with {@link VisibleText#of}, in whatever pieces it comes: a character whose
 * meaning depends on the next one waits for it. Not thread-safe.
 */
final class VisibleWriter extends Writer {
  private final Writer out;
  private final StringBuilder piece = new StringBuilder();

  VisibleWriter(Writer out) {
    this.out = out;
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    piece.append(text, offset, length);
    writePiece();
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    piece.append(text, offset, offset + length);
    writePiece();
  }

  @Override
  public void write(int character) throws IOException {
    piece.append((char) character);
    writePiece();
  }

  private void writePiece() throws IOException {
    int end = piece.length();
    if (end > 0 && isOpen(piece.charAt(end - 1))) {
      end--;
    }
    if (end > 0) {
      out.write(VisibleText.of(piece.substring(0, end)));
      piece.delete(0, end);
    }
  }

  /** Whether the next character decides: the end of CR LF, or the other half of a pair. */
  private static boolean isOpen(char last) {
    return last == '\r' || Character.isHighSurrogate(last);
  }

  /** A character that waits for the next one goes on waiting. */
  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.write(VisibleText.of(piece.toString()));
    piece.setLength(0);
    out.close();
  }
}
