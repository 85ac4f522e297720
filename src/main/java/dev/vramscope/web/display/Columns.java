package dev.vramscope.web.display;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Chart data: a JSON header, then columns that a browser maps as typed arrays without copying.
 *
 * <pre>
 *   0   "VSC1"        u32; all numbers are little-endian
 *   4   headerBytes   u32
 *   8   header        JSON, padded with spaces to a multiple of 8
 *   …   columns       each at a multiple of 8 from the first; offset, length and type in the header
 * </pre>
 */
public final class Columns {
  public static final String MEDIA_TYPE = "application/vnd.vramscope.columns";

  private static final int MAGIC = 0x31435356;
  private static final int PREFIX_BYTES = 8;

  private final Map<String, @Nullable Object> header = new LinkedHashMap<>();
  private final List<Column> entries = new ArrayList<>();
  private final List<ByteBuffer> columns = new ArrayList<>();
  private int columnBytes;

  /** Adds a member of the header: text, a number, a boolean, a list or map of these, or null. */
  public Columns member(String name, @Nullable Object value) {
    header.put(name, value);
    return this;
  }

  public Columns u8(String name, int length, IntUnaryOperator value) {
    ByteBuffer column = column(name, "u8", length, Byte.BYTES);
    for (int i = 0; i < length; i++) {
      column.put((byte) value.applyAsInt(i));
    }
    return this;
  }

  public Columns i32(String name, int length, IntUnaryOperator value) {
    ByteBuffer column = column(name, "i32", length, Integer.BYTES);
    for (int i = 0; i < length; i++) {
      column.putInt(value.applyAsInt(i));
    }
    return this;
  }

  /** Byte counts are exact below 2^53; NaN means unknown. */
  public Columns f64(String name, int length, IntToDoubleFunction value) {
    ByteBuffer column = column(name, "f64", length, Double.BYTES);
    for (int i = 0; i < length; i++) {
      column.putDouble(value.applyAsDouble(i));
    }
    return this;
  }

  public Columns u64(String name, int length, IntToLongFunction value) {
    ByteBuffer column = column(name, "u64", length, Long.BYTES);
    for (int i = 0; i < length; i++) {
      column.putLong(value.applyAsLong(i));
    }
    return this;
  }

  public byte[] bytes(JsonMapper json) {
    header.put("columns", entries);
    byte[] text = json.writeValueAsString(header).getBytes(StandardCharsets.UTF_8);
    int headerBytes = padded(text.length);
    ByteBuffer out =
        ByteBuffer.allocate(PREFIX_BYTES + headerBytes + columnBytes)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(MAGIC)
            .putInt(headerBytes)
            .put(text)
            .put(" ".repeat(headerBytes - text.length).getBytes(StandardCharsets.US_ASCII));
    int first = out.position();
    for (int i = 0; i < columns.size(); i++) {
      out.position(first + entries.get(i).offset()).put(columns.get(i).flip());
    }
    return out.array();
  }

  private ByteBuffer column(String name, String type, int length, int width) {
    entries.add(new Column(name, type, length, columnBytes));
    ByteBuffer column = ByteBuffer.allocate(length * width).order(ByteOrder.LITTLE_ENDIAN);
    columns.add(column);
    columnBytes += padded(length * width);
    return column;
  }

  /** The header's entry for a column. */
  record Column(String name, String type, int length, int offset) {}

  private static int padded(int bytes) {
    return (bytes + 7) & ~7;
  }
}
