package dev.vramscope.format.export;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** Reads a message of Protocol Buffers: its fields in order, numbers or bytes. */
public record Wire(List<Field> fields) {
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;

  /** A field; {@code bytes} has one character for each byte, none for a number. */
  public record Field(int number, long value, String bytes) {}

  public static Wire of(byte[] message) {
    List<Field> fields = new ArrayList<>();
    int[] at = {0};
    while (at[0] < message.length) {
      long tag = varint(message, at);
      int type = (int) (tag & 7);
      long value = varint(message, at);
      byte[] bytes = {};
      if (type == LENGTH_DELIMITED) {
        bytes = Arrays.copyOfRange(message, at[0], at[0] + (int) value);
        at[0] += (int) value;
      } else if (type != VARINT) {
        throw new IllegalArgumentException("wire type " + type);
      }
      fields.add(new Field((int) (tag >>> 3), value, new String(bytes, ISO_8859_1)));
    }
    return new Wire(fields);
  }

  private static long varint(byte[] message, int[] at) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = message[at[0]++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  public List<Wire> messages(int field) {
    return fields.stream()
        .filter(f -> f.number == field)
        .map(f -> of(f.bytes.getBytes(ISO_8859_1)))
        .toList();
  }

  public OptionalLong number(int field) {
    return fields.stream().filter(f -> f.number == field).mapToLong(Field::value).findFirst();
  }

  public String text(int field) {
    return fields.stream()
        .filter(f -> f.number == field)
        .map(f -> new String(f.bytes.getBytes(ISO_8859_1), UTF_8))
        .findFirst()
        .orElse("");
  }
}
