package dev.vramscope.format.export.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a table as a Parquet file: set a value in every column, then call {@link #endRow}. Not
 * thread-safe.
 */
public final class ParquetFile {
  /** Rows of a row group: some MiB of heap for numbers. */
  public static final int GROUP_ROWS = 1 << 17;

  /** A row group ends early when its distinct texts have this many characters. */
  private static final long MAX_TEXT = 16 << 20;

  private static final byte[] MAGIC = "PAR1".getBytes(US_ASCII);
  private static final int ZSTD_LEVEL = 3;
  private static final int PLAIN = 0;
  private static final int RLE = 3;
  private static final int RLE_DICTIONARY = 8;
  private static final int DATA_PAGE = 0;
  private static final int DICTIONARY_PAGE = 2;

  private final OutputStream out;
  private final List<ParquetColumn> columns;
  private final Footer footer;
  private long position;
  private long uncompressedBytes;
  private int rows;

  /**
   * Begins a file: its first bytes are flushed, since the others follow with the first row group.
   *
   * @param createdBy the program that wrote it
   * @throws IOException if writing to the stream fails
   */
  public ParquetFile(OutputStream out, String createdBy, List<ParquetColumn> columns)
      throws IOException {
    this.out = out;
    this.columns = List.copyOf(columns);
    footer = new Footer(createdBy, this.columns);
    write(MAGIC);
    out.flush();
  }

  /**
   * Ends a row.
   *
   * @throws IOException if writing to the stream fails
   */
  public void endRow() throws IOException {
    rows++;
    long text = 0;
    for (ParquetColumn column : columns) {
      if (column.rowCount() != rows) {
        throw new IllegalStateException("column " + column.name() + " has no value in this row");
      }
      text += column.dictionaryLength();
    }
    if (rows == GROUP_ROWS || text > MAX_TEXT) {
      endGroup();
    }
  }

  /** Bytes of the pages so far, before their compression. */
  public long uncompressedBytes() {
    return uncompressedBytes;
  }

  /**
   * Writes the rest of the file. The stream is flushed but not closed.
   *
   * @throws IOException if writing to the stream fails
   */
  public void finish() throws IOException {
    if (rows > 0) {
      endGroup();
    }
    byte[] content = footer.bytes();
    write(content);
    for (int bits = 0; bits < Integer.SIZE; bits += Byte.SIZE) {
      write(new byte[] {(byte) (content.length >>> bits)});
    }
    write(MAGIC);
    out.flush();
  }

  private void endGroup() throws IOException {
    List<Chunk> chunks = new ArrayList<>();
    for (ParquetColumn column : columns) {
      chunks.add(writeChunk(column));
      column.clear();
    }
    footer.add(chunks, rows);
    rows = 0;
  }

  private Chunk writeChunk(ParquetColumn column) throws IOException {
    long start = position;
    long uncompressed = 0;
    if (column.isText()) {
      ThriftOutput header = new ThriftOutput();
      uncompressed +=
          writePage(
              DICTIONARY_PAGE,
              column.dictionaryPage(),
              header,
              () -> header.begin(7).i32(1, column.distinctCount()).i32(2, PLAIN).end());
    }
    long dataStart = position;
    ThriftOutput header = new ThriftOutput();
    uncompressed +=
        writePage(
            DATA_PAGE,
            column.dataPage(),
            header,
            () ->
                header
                    .begin(5)
                    .i32(1, column.rowCount())
                    .i32(2, column.isText() ? RLE_DICTIONARY : PLAIN)
                    .i32(3, RLE)
                    .i32(4, RLE)
                    .end());
    uncompressedBytes += uncompressed;
    return new Chunk(
        column.rowCount(),
        column.nullCount(),
        column.range(),
        start,
        dataStart,
        uncompressed,
        position - start);
  }

  /** Returns the bytes of the page before compression, with its header. */
  private long writePage(int type, byte[] content, ThriftOutput header, Runnable details)
      throws IOException {
    byte[] compressed = Zstd.compress(content, ZSTD_LEVEL);
    header.i32(1, type).i32(2, content.length).i32(3, compressed.length);
    details.run();
    byte[] head = header.finish();
    write(head);
    write(compressed);
    return (long) head.length + content.length;
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes);
    position += bytes.length;
  }
}
