package dev.vramscope.format.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.Zstd;
import dev.vramscope.format.export.parquet.ThriftInput.Struct;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a Parquet file by its specification: flat columns of numbers and texts. */
public final class ParquetTable {
  private static final String MAGIC = "PAR1";

  private ParquetTable() {}

  /** The rows: names and values, which are long, text or null. */
  public static List<Map<String, @Nullable Object>> read(byte[] file) {
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    if (!new String(file, 0, 4, UTF_8).equals(MAGIC)
        || !new String(file, file.length - 4, 4, UTF_8).equals(MAGIC)) {
      throw new IllegalArgumentException("not a Parquet file");
    }
    int length = in.getInt(file.length - 8);
    Struct footer = new ThriftInput(in.duplicate().position(file.length - 8 - length)).struct();
    List<Struct> schema = footer.structs(2);
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Struct group : footer.structs(4)) {
      int from = rows.size();
      for (int i = 0; i < group.number(3); i++) {
        rows.add(new LinkedHashMap<>());
      }
      List<Struct> chunks = group.structs(1);
      for (int column = 0; column < chunks.size(); column++) {
        Struct element = schema.get(column + 1);
        List<@Nullable Object> values = column(in, chunks.get(column).struct(3), element);
        for (int i = 0; i < values.size(); i++) {
          rows.get(from + i).put(new String(element.bytes(4), UTF_8), values.get(i));
        }
      }
    }
    if (rows.size() != footer.number(3)) {
      throw new IllegalArgumentException(rows.size() + " rows instead of " + footer.number(3));
    }
    return rows;
  }

  private static List<@Nullable Object> column(ByteBuffer file, Struct chunk, Struct element) {
    List<String> dictionary = new ArrayList<>();
    boolean isText = chunk.number(1) == 6;
    if (isText) {
      ByteBuffer in =
          file.duplicate().order(ByteOrder.LITTLE_ENDIAN).position((int) chunk.number(11));
      Struct header = new ThriftInput(in).struct();
      ByteBuffer page = page(in, header);
      for (int i = 0; i < header.struct(7).number(1); i++) {
        byte[] text = new byte[page.getInt()];
        page.get(text);
        dictionary.add(new String(text, UTF_8));
      }
    }
    ByteBuffer in = file.duplicate().order(ByteOrder.LITTLE_ENDIAN).position((int) chunk.number(9));
    Struct header = new ThriftInput(in).struct();
    ByteBuffer page = page(in, header);
    int count = (int) header.struct(5).number(1);
    int[] levels = new int[count];
    Arrays.fill(levels, 1);
    if (element.number(3) == 1) {
      int bytes = page.getInt();
      levels = hybrid(page.slice(page.position(), bytes), 1, count);
      page.position(page.position() + bytes);
    }
    int defined = Arrays.stream(levels).sum();
    int[] numbers = isText ? hybrid(page, page.get(), defined) : new int[0];
    List<@Nullable Object> values = new ArrayList<>();
    int next = 0;
    for (int level : levels) {
      if (level == 0) {
        values.add(null);
      } else if (isText) {
        values.add(dictionary.get(numbers[next++]));
      } else {
        values.add(chunk.number(1) == 1 ? (long) page.getInt() : page.getLong());
      }
    }
    return values;
  }

  private static ByteBuffer page(ByteBuffer in, Struct header) {
    byte[] compressed = new byte[(int) header.number(3)];
    in.get(compressed);
    return ByteBuffer.wrap(Zstd.decompress(compressed, (int) header.number(2)))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int[] hybrid(ByteBuffer in, int width, int count) {
    int[] values = new int[count];
    int at = 0;
    while (at < count) {
      long head = ThriftInput.varint(in);
      if ((head & 1) == 0) {
        int value = 0;
        for (int bits = 0; bits < width; bits += 8) {
          value |= (in.get() & 0xff) << bits;
        }
        for (long i = head >> 1; i > 0; i--) {
          values[at++] = value;
        }
      } else {
        int start = in.position();
        for (int i = 0; i < (head >> 1) * 8; i++) {
          int value = 0;
          for (int bit = 0; bit < width; bit++) {
            int position = i * width + bit;
            value |= (in.get(start + position / 8) >> (position % 8) & 1) << bit;
          }
          if (at < count) {
            values[at++] = value;
          }
        }
        in.position(start + (int) (head >> 1) * width);
      }
    }
    return values;
  }
}
