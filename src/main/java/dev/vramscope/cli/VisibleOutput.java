package dev.vramscope.cli;

import dev.vramscope.model.VisibleText;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The standard output or the standard error: text in UTF-8, in which no name or message controls
 * the terminal. {@code print} writes text of several lines; {@code println} writes one line, so a
 * line end in a name adds none; the tabs at its beginning are those of a stack trace. Bytes are
 * written as they are.
 */
final class VisibleOutput extends PrintStream {
  VisibleOutput(OutputStream out, boolean flushesLines) {
    super(out, flushesLines, StandardCharsets.UTF_8);
  }

  @Override
  public void print(@Nullable String text) {
    super.print(VisibleText.of(String.valueOf(text)));
  }

  @Override
  public void print(@Nullable Object value) {
    print(String.valueOf(value));
  }

  @Override
  public void print(char character) {
    print(String.valueOf(character));
  }

  @Override
  public void println(@Nullable String text) {
    String line = String.valueOf(text);
    int indent = 0;
    while (indent < line.length() && line.charAt(indent) == '\t') {
      indent++;
    }
    super.print(
        line.substring(0, indent)
            + VisibleText.line(line.substring(indent))
            + System.lineSeparator());
  }

  @Override
  public void println(@Nullable Object value) {
    println(String.valueOf(value));
  }
}
