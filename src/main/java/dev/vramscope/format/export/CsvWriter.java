package dev.vramscope.format.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.VisibleText;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as CSV (RFC 4180): a header, then one event in each record, with the columns of
 * {@link EventRow}. A cell without a value is empty. {@code frames} is one text, innermost frame
 * first.
 *
 * <p>The texts are those of the uploaded file, and a spreadsheet runs a cell that starts with one
 * of {@code = + - @} as a formula, also a quoted one. Such a text gets an apostrophe in front.
 */
public final class CsvWriter {
  private static final String FORMULA_STARTS = "=+-@\t\r";
  private static final String FRAME_SEPARATOR = ";";
  private static final String LINE_END = "\r\n";

  private final Writer out;
  private final StackTexts stacks;
  private final StringBuilder line = new StringBuilder();

  private CsvWriter(Snapshot snapshot, OutputStream out) {
    this.out = new BufferedWriter(new OutputStreamWriter(out, UTF_8), 1 << 16);
    stacks =
        new StackTexts(snapshot.stacks(), frames -> cell(String.join(FRAME_SEPARATOR, frames)));
  }

  /**
   * Writes the events of all devices of a snapshot. The stream is flushed but not closed.
   *
   * @throws IOException if writing to the stream fails
   */
  public static void write(Snapshot snapshot, OutputStream out) throws IOException {
    write(snapshot, 1, out);
  }

  /** The same with every stride-th event of each device. */
  static void write(Snapshot snapshot, int stride, OutputStream out) throws IOException {
    CsvWriter writer = new CsvWriter(snapshot, out);
    writer.out.write(String.join(",", EventRow.COLUMNS) + LINE_END);
    writer.out.flush(); // The first bytes come before the first events.
    EventRows.forEach(snapshot, stride, writer::write);
    writer.out.flush();
  }

  private void write(EventRow row) throws IOException {
    line.setLength(0);
    line.append(row.device()).append(',').append(row.event());
    text(row.action());
    text(row.addressText());
    number(row.bytes(), /* isKnown= */ true);
    number(row.stream(), /* isKnown= */ true);
    text(row.poolText());
    number(row.timeMicros(), row.timeMicros() != Trace.NO_TIME);
    number(row.stack(), row.stack() != StackTable.NONE);
    String frames = stacks.of(row.stack());
    line.append(',').append(frames == null ? "" : frames);
    number(row.deviceFreeBytes(), row.deviceFreeBytes() != OomEvent.UNKNOWN);
    text(row.userMetadata());
    text(row.compileContext());
    line.append(LINE_END);
    out.append(line);
  }

  private void number(long value, boolean isKnown) {
    line.append(',');
    if (isKnown) {
      line.append(value);
    }
  }

  private void text(@Nullable String value) {
    line.append(',');
    if (value != null) {
      line.append(cell(value));
    }
  }

  /** A text as a cell: quoted if it has to be, never a formula, and without control characters. */
  static String cell(String text) {
    String visible = VisibleText.of(text);
    String data =
        !visible.isEmpty() && FORMULA_STARTS.indexOf(visible.charAt(0)) >= 0
            ? "'" + visible
            : visible;
    boolean isPlain = true;
    for (int i = 0; i < data.length() && isPlain; i++) {
      char c = data.charAt(i);
      isPlain = c != ',' && c != '"' && c != '\n' && c != '\r';
    }
    return isPlain ? data : "\"" + data.replace("\"", "\"\"") + "\"";
  }
}
