package dev.vramscope.format.export;

import dev.vramscope.format.export.parquet.ParquetColumn;
import dev.vramscope.format.export.parquet.ParquetColumn.ColumnType;
import dev.vramscope.format.export.parquet.ParquetFile;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Writes events as a Parquet file with the columns of {@link EventRow}. A value that is not known
 * is null. {@code frames} is one text, innermost frame first.
 */
public final class ParquetWriter {
  private static final String CREATED_BY = "vramscope";
  private static final String FRAME_SEPARATOR = ";";

  private final ParquetColumn device = ParquetColumn.required("device", ColumnType.INT32);
  private final ParquetColumn event = ParquetColumn.required("event", ColumnType.INT32);
  private final ParquetColumn action = ParquetColumn.required("action", ColumnType.TEXT);
  private final ParquetColumn address = ParquetColumn.optional("address", ColumnType.TEXT);
  private final ParquetColumn bytes = ParquetColumn.required("bytes", ColumnType.INT64);
  private final ParquetColumn stream = ParquetColumn.required("stream", ColumnType.INT64);
  private final ParquetColumn pool = ParquetColumn.optional("pool", ColumnType.TEXT);
  private final ParquetColumn time = ParquetColumn.optional("time_us", ColumnType.INT64);
  private final ParquetColumn stack = ParquetColumn.optional("stack", ColumnType.INT32);
  private final ParquetColumn frames = ParquetColumn.optional("frames", ColumnType.TEXT);
  private final ParquetColumn deviceFree =
      ParquetColumn.optional("device_free_bytes", ColumnType.INT64);
  private final ParquetColumn userMetadata =
      ParquetColumn.optional("user_metadata", ColumnType.TEXT);
  private final ParquetColumn compileContext =
      ParquetColumn.optional("compile_context", ColumnType.TEXT);

  private final StackTexts stacks;
  private final ParquetFile file;

  ParquetWriter(Snapshot snapshot, OutputStream out) throws IOException {
    stacks = new StackTexts(snapshot.stacks(), texts -> String.join(FRAME_SEPARATOR, texts));
    file =
        new ParquetFile(
            out,
            CREATED_BY,
            List.of(
                device,
                event,
                action,
                address,
                bytes,
                stream,
                pool,
                time,
                stack,
                frames,
                deviceFree,
                userMetadata,
                compileContext));
  }

  /**
   * Writes the events of all devices of a snapshot. The stream is flushed but not closed.
   *
   * @throws IOException if writing to the stream fails
   */
  public static void write(Snapshot snapshot, OutputStream out) throws IOException {
    ParquetWriter writer = new ParquetWriter(snapshot, out);
    EventRows.forEach(snapshot, 1, writer::write);
    writer.finish();
  }

  void finish() throws IOException {
    file.finish();
  }

  /** Bytes of the pages so far, before their compression. */
  long uncompressedBytes() {
    return file.uncompressedBytes();
  }

  void write(EventRow row) throws IOException {
    device.add(row.device());
    event.add(row.event());
    action.add(row.action());
    address.add(row.addressText());
    bytes.add(row.bytes());
    stream.add(row.stream());
    pool.add(row.poolText());
    time.add(row.timeMicros(), row.timeMicros() != Trace.NO_TIME);
    stack.add(row.stack(), row.stack() != StackTable.NONE);
    frames.add(stacks.of(row.stack()));
    deviceFree.add(row.deviceFreeBytes(), row.deviceFreeBytes() != OomEvent.UNKNOWN);
    userMetadata.add(row.userMetadata());
    compileContext.add(row.compileContext());
    file.endRow();
  }
}
