package dev.vramscope.format.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vramscope.model.VisibleText;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A column and its values in the current row group. */
public final class ParquetColumn {
  /** The type of the values, with Parquet's number of it. */
  public enum ColumnType {
    INT32(1),
    INT64(2),
    /** UTF-8, by its number in the dictionary. */
    TEXT(6);

    final int code;

    ColumnType(int code) {
      this.code = code;
    }
  }

  /** The lowest and the highest number of a row group. */
  record Range(long low, long high) {}

  private final String name;
  private final ColumnType type;
  private final boolean isOptional;
  private final BitSet defined = new BitSet();
  private final Map<String, Integer> dictionary = new LinkedHashMap<>();
  private long[] values = new long[1 << 10];
  private long dictionaryLength;
  private int valueCount;
  private int rowCount;

  private ParquetColumn(String name, ColumnType type, boolean isOptional) {
    this.name = name;
    this.type = type;
    this.isOptional = isOptional;
  }

  /** A column in which every row has a value. */
  public static ParquetColumn required(String name, ColumnType type) {
    return new ParquetColumn(name, type, /* isOptional= */ false);
  }

  /** A column in which rows may have no value. */
  public static ParquetColumn optional(String name, ColumnType type) {
    return new ParquetColumn(name, type, /* isOptional= */ true);
  }

  /** Sets the number of the next row. */
  public void add(long value) {
    defined.set(rowCount++);
    if (valueCount == values.length) {
      values = Arrays.copyOf(values, valueCount * 2);
    }
    values[valueCount++] = value;
  }

  /** Sets the number of the next row, if it has one. */
  public void add(long value, boolean isKnown) {
    if (isKnown) {
      add(value);
    } else {
      addNothing();
    }
  }

  /** Sets the text of the next row; null for none. */
  public void add(@Nullable String text) {
    if (text == null) {
      addNothing();
      return;
    }
    int before = dictionary.size();
    int number = dictionary.computeIfAbsent(text, _ -> before);
    if (number == before) {
      dictionaryLength += text.length();
    }
    add(number);
  }

  private void addNothing() {
    if (!isOptional) {
      throw new IllegalArgumentException("column " + name + " needs a value in every row");
    }
    rowCount++;
  }

  String name() {
    return name;
  }

  ColumnType type() {
    return type;
  }

  boolean isOptional() {
    return isOptional;
  }

  boolean isText() {
    return type == ColumnType.TEXT;
  }

  /** The size of a number in PLAIN encoding. */
  int numberBytes() {
    return type == ColumnType.INT32 ? Integer.BYTES : Long.BYTES;
  }

  int rowCount() {
    return rowCount;
  }

  int nullCount() {
    return rowCount - valueCount;
  }

  int distinctCount() {
    return dictionary.size();
  }

  /** Characters of the distinct texts of the row group. */
  long dictionaryLength() {
    return dictionaryLength;
  }

  /** The content of the dictionary page: each distinct text with its length. */
  byte[] dictionaryPage() {
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    for (String text : dictionary.keySet()) {
      byte[] bytes = VisibleText.wellFormed(text).getBytes(UTF_8);
      page.writeBytes(littleEndian(bytes.length, Integer.BYTES));
      page.writeBytes(bytes);
    }
    return page.toByteArray();
  }

  /** The content of the data page: which rows have a value, and the values. */
  byte[] dataPage() {
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    if (isOptional) {
      byte[] levels = BitPacking.encode(row -> defined.get(row) ? 1 : 0, rowCount, 1);
      page.writeBytes(littleEndian(levels.length, Integer.BYTES));
      page.writeBytes(levels);
    }
    if (isText()) {
      int width = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(distinctCount() - 1));
      page.write(width);
      page.writeBytes(BitPacking.encode(i -> (int) values[i], valueCount, width));
    } else {
      ByteBuffer plain =
          ByteBuffer.allocate(valueCount * numberBytes()).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < valueCount; i++) {
        if (type == ColumnType.INT32) {
          plain.putInt((int) values[i]);
        } else {
          plain.putLong(values[i]);
        }
      }
      page.writeBytes(plain.array());
    }
    return page.toByteArray();
  }

  /** The lowest and the highest number; null if there is none. */
  @Nullable Range range() {
    if (isText() || valueCount == 0) {
      return null;
    }
    LongSummaryStatistics statistics = Arrays.stream(values, 0, valueCount).summaryStatistics();
    return new Range(statistics.getMin(), statistics.getMax());
  }

  /** Begins the next row group. */
  void clear() {
    defined.clear();
    dictionary.clear();
    dictionaryLength = 0;
    valueCount = 0;
    rowCount = 0;
  }

  static byte[] littleEndian(long value, int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) (value >>> (Byte.SIZE * i));
    }
    return bytes;
  }
}
