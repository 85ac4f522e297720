package dev.vramscope.format.export;

import dev.vramscope.format.export.parquet.ParquetFile;
import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * About how large a Parquet file becomes, from one of its row groups. A part of a group is no
 * sample: the more rows a group has, the fewer of them have a text or an address that is new in it.
 */
final class ParquetSize {
  /** Rows may have texts of any length; a few such rows are enough for an estimate. */
  private static final long MOST_BYTES = 64L << 20;

  private final ParquetWriter writer;
  private long bytes;
  private long rows;

  private ParquetSize(Snapshot snapshot) throws IOException {
    writer = new ParquetWriter(snapshot, new Counter());
  }

  /** Bytes of {@link ParquetWriter#write}. */
  static long of(Snapshot snapshot) {
    long events = snapshot.eventCount();
    long from = events / ParquetFile.GROUP_ROWS / 2 * ParquetFile.GROUP_ROWS;
    long to = Math.min(events, from + ParquetFile.GROUP_ROWS);
    try {
      ParquetSize size = new ParquetSize(snapshot);
      size.write(snapshot, from, to);
      return size.rows == 0 ? size.bytes : Math.round((double) size.bytes / size.rows * events);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void write(Snapshot snapshot, long from, long to) throws IOException {
    try {
      EventRows.forEach(snapshot, from, to, this::write);
    } catch (EnoughException enough) {
      // The rows so far are the sample.
    }
    writer.finish();
  }

  private void write(EventRow row) throws IOException {
    writer.write(row);
    rows++;
    if (writer.uncompressedBytes() > MOST_BYTES) {
      throw new EnoughException();
    }
  }

  /** Ends the sample. */
  private static final class EnoughException extends IOException {
    private static final long serialVersionUID = 1;
  }

  private final class Counter extends OutputStream {
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
