package dev.vramscope.format.export.parquet;

import java.util.ArrayList;
import java.util.List;

/**
 * The struct FileMetaData at the end of a file. Field numbers are those of Parquet's {@code
 * parquet.thrift}.
 */
final class Footer {
  private static final int VERSION = 2;
  private static final int ZSTD = 6;
  private static final int UTF8 = 0;
  private static final int REQUIRED = 0;
  private static final int OPTIONAL = 1;
  private static final int PLAIN = 0;
  private static final int RLE = 3;
  private static final int RLE_DICTIONARY = 8;

  private record Group(List<Chunk> chunks, int rows) {}

  private final String createdBy;
  private final List<ParquetColumn> columns;
  private final List<Group> groups = new ArrayList<>();

  Footer(String createdBy, List<ParquetColumn> columns) {
    this.createdBy = createdBy;
    this.columns = columns;
  }

  void add(List<Chunk> chunks, int rows) {
    groups.add(new Group(List.copyOf(chunks), rows));
  }

  byte[] bytes() {
    ThriftOutput out = new ThriftOutput();
    out.i32(1, VERSION).structs(2, columns.size() + 1);
    out.element().text(4, "schema").i32(5, columns.size()).end();
    columns.forEach(column -> writeSchema(out, column));
    out.i64(3, groups.stream().mapToLong(Group::rows).sum()).structs(4, groups.size());
    groups.forEach(group -> writeGroup(out, group));
    out.text(6, createdBy);
    // Says that minima and maxima have the order of the type; readers ignore them otherwise.
    out.structs(7, columns.size());
    columns.forEach(_ -> out.element().begin(1).end().end());
    return out.finish();
  }

  private static void writeSchema(ThriftOutput out, ParquetColumn column) {
    out.element().i32(1, column.type().code);
    out.i32(3, column.isOptional() ? OPTIONAL : REQUIRED).text(4, column.name());
    if (column.isText()) {
      out.i32(6, UTF8).begin(10).begin(1).end().end();
    }
    out.end();
  }

  private void writeGroup(ThriftOutput out, Group group) {
    out.element().structs(1, group.chunks().size());
    for (int i = 0; i < columns.size(); i++) {
      Chunk chunk = group.chunks().get(i);
      out.element().i64(2, 0).begin(3);
      writeChunk(out, columns.get(i), chunk);
      out.end().end();
    }
    out.i64(2, group.chunks().stream().mapToLong(Chunk::uncompressedBytes).sum());
    out.i64(3, group.rows()).end();
  }

  private static void writeChunk(ThriftOutput out, ParquetColumn column, Chunk chunk) {
    out.i32(1, column.type().code);
    if (column.isText()) {
      out.i32s(2, PLAIN, RLE, RLE_DICTIONARY);
    } else {
      out.i32s(2, PLAIN, RLE);
    }
    out.texts(3, column.name()).i32(4, ZSTD).i64(5, chunk.rowCount());
    out.i64(6, chunk.uncompressedBytes()).i64(7, chunk.storedBytes()).i64(9, chunk.dataStart());
    if (column.isText()) {
      out.i64(11, chunk.start());
    }
    out.begin(12).i64(3, chunk.nullCount());
    ParquetColumn.Range range = chunk.range();
    if (range != null) {
      int size = column.numberBytes();
      out.binary(5, ParquetColumn.littleEndian(range.high(), size));
      out.binary(6, ParquetColumn.littleEndian(range.low(), size));
    }
    out.end();
  }
}
