package dev.vramscope.format.export.parquet;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Reads a struct of Thrift's compact protocol as field numbers and values. */
final class ThriftInput {
  private final ByteBuffer in;

  ThriftInput(ByteBuffer in) {
    this.in = in;
  }

  /** A struct: numbers are long, texts and bytes byte[], lists List, structs this type. */
  static final class Struct extends TreeMap<Integer, Object> {
    private static final long serialVersionUID = 1L;

    long number(int field) {
      return (Long) require(field);
    }

    byte[] bytes(int field) {
      return (byte[]) require(field);
    }

    Struct struct(int field) {
      return (Struct) require(field);
    }

    List<Struct> structs(int field) {
      return ((List<?>) require(field)).stream().map(each -> (Struct) each).toList();
    }

    private Object require(int field) {
      Object value = get(field);
      if (value == null) {
        throw new IllegalArgumentException("no field " + field + " in " + keySet());
      }
      return value;
    }
  }

  Struct struct() {
    Struct found = new Struct();
    int field = 0;
    for (int head = in.get() & 0xff; head != 0; head = in.get() & 0xff) {
      int delta = head >> 4;
      field = delta == 0 ? (int) zigzag() : field + delta;
      found.put(field, value(head & 15));
    }
    return found;
  }

  private Object value(int type) {
    return switch (type) {
      case 1 -> 1L;
      case 2 -> 0L;
      case 4, 5, 6 -> zigzag();
      case 8 -> {
        byte[] bytes = new byte[(int) varint()];
        in.get(bytes);
        yield bytes;
      }
      case 9 -> list();
      case 12 -> struct();
      default -> throw new IllegalArgumentException("type " + type);
    };
  }

  private List<Object> list() {
    int head = in.get() & 0xff;
    int size = head >> 4 == 15 ? (int) varint() : head >> 4;
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      values.add(value(head & 15));
    }
    return values;
  }

  private long zigzag() {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  private long varint() {
    return varint(in);
  }

  static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
