package dev.vramscope.format.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vramscope.model.JsonText;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as JSON lines: one object in each line, with the columns of {@link EventRow} as
 * members. A member without a value is absent. {@code frames} is an array, innermost frame first.
 */
public final class JsonLinesWriter {
  private final Writer out;
  private final StackTexts stacks;
  private final StringBuilder line = new StringBuilder();

  private JsonLinesWriter(Snapshot snapshot, OutputStream out) {
    this.out = new BufferedWriter(new OutputStreamWriter(out, UTF_8), 1 << 16);
    stacks = new StackTexts(snapshot.stacks(), JsonLinesWriter::array);
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
    JsonLinesWriter writer = new JsonLinesWriter(snapshot, out);
    EventRows.forEach(snapshot, stride, writer::write);
    writer.out.flush();
  }

  private void write(EventRow row) throws IOException {
    line.setLength(0);
    line.append("{\"device\":").append(row.device());
    number("event", row.event());
    text("action", row.action());
    text("address", row.addressText());
    number("bytes", row.bytes());
    number("stream", row.stream());
    text("pool", row.poolText());
    if (row.timeMicros() != Trace.NO_TIME) {
      number("time_us", row.timeMicros());
    }
    if (row.stack() != StackTable.NONE) {
      number("stack", row.stack());
      name("frames").append(stacks.of(row.stack()));
    }
    if (row.deviceFreeBytes() != OomEvent.UNKNOWN) {
      number("device_free_bytes", row.deviceFreeBytes());
    }
    text("user_metadata", row.userMetadata());
    text("compile_context", row.compileContext());
    line.append("}\n");
    out.append(line);
  }

  private StringBuilder name(String name) {
    return line.append(",\"").append(name).append("\":");
  }

  private void number(String name, long value) {
    name(name).append(value);
  }

  private void text(String name, @Nullable String value) {
    if (value != null) {
      JsonText.append(name(name), value);
    }
  }

  private static String array(List<String> frames) {
    StringBuilder array = new StringBuilder("[");
    for (String frame : frames) {
      if (array.length() > 1) {
        array.append(',');
      }
      JsonText.append(array, frame);
    }
    return array.append(']').toString();
  }
}
