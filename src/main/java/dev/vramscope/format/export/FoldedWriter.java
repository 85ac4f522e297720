package dev.vramscope.format.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vramscope.model.StackTable;
import dev.vramscope.model.VisibleText;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.List;

/**
 * Writes stacks as folded lines, for {@code flamegraph.pl}, inferno and the many programs that read
 * the same: the frames from the outermost on, separated by semicolons, a space, and the amount.
 *
 * <pre>
 *   main train.py:9;step train.py:31;forward model.py:7 1048576
 * </pre>
 */
public final class FoldedWriter {
  private FoldedWriter() {}

  /**
   * Writes a line for each stack with an amount. The stream is flushed but not closed.
   *
   * @throws IOException if writing to the stream fails
   */
  public static void write(StackAmounts amounts, OutputStream out) throws IOException {
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, UTF_8), 1 << 16);
    StackTexts texts = new StackTexts(amounts.stacks(), FoldedWriter::folded);
    for (int stack : amounts.used()) {
      String text = stack == StackTable.NONE ? StackAmounts.NO_FRAME : texts.of(stack);
      writer.append(text).append(' ').append(Long.toString(amounts.amount(stack))).append('\n');
    }
    writer.flush();
  }

  private static String folded(List<String> innermostFirst) {
    StringBuilder line = new StringBuilder();
    for (String frame : innermostFirst.reversed()) {
      if (!line.isEmpty()) {
        line.append(';');
      }
      line.append(VisibleText.line(frame.replaceAll("\\R", " ")).replace(';', ','));
    }
    return line.toString();
  }
}
