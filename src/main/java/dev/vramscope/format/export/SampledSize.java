package dev.vramscope.format.export;

import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** About how large a table of events becomes, from a sample of its rows. */
final class SampledSize {
  private static final int ROWS = 500;

  /** Rows may have texts of any length; a few such rows are enough for an estimate. */
  private static final long MAX_BYTES = 8 << 20;

  private SampledSize() {}

  /** Writes a table with every {@code stride}-th event of each device. */
  interface Table {
    void write(Snapshot snapshot, int stride, OutputStream out) throws IOException;
  }

  /** Bytes of the table with all events. */
  static long of(Snapshot snapshot, Table table) {
    long events = 0;
    for (var part : snapshot.parts()) {
      events += part.trace().size();
    }
    int stride = (int) Math.max(1, events / ROWS);
    long rows = 0;
    for (var part : snapshot.parts()) {
      rows += Math.ceilDiv(part.trace().size(), stride);
    }
    Counter counter = new Counter();
    try {
      table.write(snapshot, stride, counter);
    } catch (EnoughException enough) {
      rows = Math.max(1, counter.lines);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return rows == 0 ? counter.bytes : Math.round((double) counter.bytes / rows * events);
  }

  /** Ends the sample. */
  private static final class EnoughException extends IOException {
    private static final long serialVersionUID = 1;
  }

  private static final class Counter extends OutputStream {
    private long bytes;
    private long lines;

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] values, int offset, int length) throws IOException {
      bytes += length;
      for (int i = offset; i < offset + length; i++) {
        lines += values[i] == '\n' ? 1 : 0;
      }
      if (bytes > MAX_BYTES) {
        throw new EnoughException();
      }
    }
  }
}
