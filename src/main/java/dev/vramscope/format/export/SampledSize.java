package dev.vramscope.format.export;

import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** About how large a table of events becomes, from a sample of its rows. */
final class SampledSize {
  private static final int ROWS = 500;

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
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return rows == 0 ? counter.bytes : Math.round((double) counter.bytes / rows * events);
  }

  private static final class Counter extends OutputStream {
    private long bytes;

    @Override
    public void write(int value) {
      bytes++;
    }

    @Override
    public void write(byte[] values, int offset, int length) {
      bytes += length;
    }
  }
}
