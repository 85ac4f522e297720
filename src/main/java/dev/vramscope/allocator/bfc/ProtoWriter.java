package dev.vramscope.allocator.bfc;

import java.io.ByteArrayOutputStream;

/** Writes protocol buffers (proto3): numbers that are 0 are omitted. */
final class ProtoWriter {
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FOUR_BYTES = 5;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  ProtoWriter number(int field, long value) {
    if (value != 0) {
      key(field, VARINT);
      varint(value);
    }
    return this;
  }

  ProtoWriter flag(int field, boolean value) {
    return number(field, value ? 1 : 0);
  }

  /** Writes a float, given by its bits. */
  ProtoWriter floatBits(int field, int bits) {
    if (bits != 0) {
      key(field, FOUR_BYTES);
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        out.write(bits >>> shift);
      }
    }
    return this;
  }

  /** Writes UTF-8 text or a message, even if it is empty. */
  ProtoWriter bytes(int field, byte[] value) {
    key(field, LENGTH_DELIMITED);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  ProtoWriter message(int field, ProtoWriter message) {
    return bytes(field, message.toBytes());
  }

  private void key(int field, int wireType) {
    varint(((long) field << 3) | wireType);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  byte[] toBytes() {
    return out.toByteArray();
  }
}
