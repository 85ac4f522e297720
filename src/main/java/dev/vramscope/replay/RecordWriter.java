package dev.vramscope.replay;

import dev.vramscope.model.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON records, one per line, into a buffer. Commas are inserted automatically; the caller
 * is responsible for matching begin and end calls.
 */
final class RecordWriter {
  private static final int FLUSH_FROM = 1 << 16;

  /** The most digits of a non-negative long. */
  private static final int MAX_DIGITS = 19;

  /** 00 01 02 ... 99. */
  private static final byte[] PAIRS = pairs();

  private final OutputStream out;
  private byte[] buffer = new byte[2 * FLUSH_FROM];
  private int size;
  private boolean first = true;

  RecordWriter(OutputStream out) {
    this.out = out;
  }

  private static byte[] pairs() {
    byte[] pairs = new byte[200];
    for (int i = 0; i < 100; i++) {
      pairs[2 * i] = (byte) ('0' + i / 10);
      pairs[2 * i + 1] = (byte) ('0' + i % 10);
    }
    return pairs;
  }

  RecordWriter beginRecord(int line, String operation) {
    return beginRecord("line", line, operation);
  }

  /**
   * Begins a record.
   *
   * @param lineName the name of the line number in the original's records
   */
  RecordWriter beginRecord(String lineName, int line, String operation) {
    first = true;
    return beginObject().field(lineName, line).field("op", operation);
  }

  void endRecord() throws IOException {
    endObject();
    put('\n');
    if (size >= FLUSH_FROM) {
      flush();
    }
  }

  void flush() throws IOException {
    out.write(buffer, 0, size);
    out.flush();
    size = 0;
  }

  RecordWriter beginObject() {
    separate();
    put('{');
    first = true;
    return this;
  }

  RecordWriter endObject() {
    put('}');
    first = false;
    return this;
  }

  RecordWriter beginArray() {
    separate();
    put('[');
    first = true;
    return this;
  }

  RecordWriter endArray() {
    put(']');
    first = false;
    return this;
  }

  /** Writes a field name, which must not need escapes; its value must follow. */
  RecordWriter name(String name) {
    ensureCapacity(name.length() + 4);
    if (!first) {
      buffer[size++] = ',';
    }
    buffer[size++] = '"';
    copy(name);
    buffer[size++] = '"';
    buffer[size++] = ':';
    first = true;
    return this;
  }

  RecordWriter field(String name, long value) {
    return name(name).value(value);
  }

  RecordWriter field(String name, @Nullable String value) {
    return name(name).value(value);
  }

  RecordWriter field(String name, boolean value) {
    return name(name).value(value);
  }

  RecordWriter value(boolean value) {
    separate();
    ascii(value ? "true" : "false");
    return this;
  }

  /** Whole numbers are written without a decimal point. */
  RecordWriter value(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return value((long) value);
    }
    separate();
    ascii(Double.toString(value));
    return this;
  }

  RecordWriter value(long value) {
    separate();
    if (value < 0) {
      ascii(Long.toString(value));
    } else {
      ensureCapacity(MAX_DIGITS);
      putDigits(value);
    }
    return this;
  }

  /** Writes an unsigned 64-bit number. */
  RecordWriter unsigned(long value) {
    if (value >= 0) {
      return value(value);
    }
    separate();
    ascii(Long.toUnsignedString(value));
    return this;
  }

  /** Writes two digits at a time from the right, with int arithmetic as soon as it suffices. */
  private void putDigits(long value) {
    int at = size + digitCount(value);
    size = at;
    long high = value;
    while (high > Integer.MAX_VALUE) {
      long rest = high / 100;
      at = putPair(at, (int) (high - 100 * rest));
      high = rest;
    }
    int low = (int) high;
    while (low >= 100) {
      int rest = low / 100;
      at = putPair(at, low - 100 * rest);
      low = rest;
    }
    if (low >= 10) {
      putPair(at, low);
    } else {
      buffer[at - 1] = (byte) ('0' + low);
    }
  }

  private int putPair(int end, int pair) {
    buffer[end - 1] = PAIRS[2 * pair + 1];
    buffer[end - 2] = PAIRS[2 * pair];
    return end - 2;
  }

  private static int digitCount(long value) {
    int count = 1;
    for (long limit = 10; count < MAX_DIGITS && value >= limit; limit *= 10) {
      count++;
    }
    return count;
  }

  RecordWriter value(@Nullable String value) {
    separate();
    if (value == null) {
      ascii("null");
      return this;
    }
    put('"');
    if (!writePlain(value)) {
      writeEscaped(value);
    }
    put('"');
    return this;
  }

  /** Writes a string from UTF-8 bytes. */
  RecordWriter value(byte[] utf8, int from, int to) {
    separate();
    put('"');
    if (!writePlain(utf8, from, to)) {
      writeEscaped(new String(utf8, from, to - from, StandardCharsets.UTF_8));
    }
    put('"');
    return this;
  }

  /**
   * Writes a text without allocating if it is ASCII without escapes, as nearly all texts are.
   *
   * @return false, with nothing written, for any other text
   */
  private boolean writePlain(String text) {
    int length = text.length();
    ensureCapacity(length);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
      buffer[size + i] = (byte) c;
    }
    size += length;
    return true;
  }

  private boolean writePlain(byte[] utf8, int from, int to) {
    ensureCapacity(to - from);
    int start = size - from;
    for (int i = from; i < to; i++) {
      byte b = utf8[i];
      if (b < ' ' || b > '~' || b == '"' || b == '\\') {
        return false;
      }
      buffer[start + i] = b;
    }
    size = start + to;
    return true;
  }

  private void writeEscaped(String text) {
    StringBuilder quoted = new StringBuilder();
    JsonText.append(quoted, text);
    byte[] utf8 = quoted.substring(1, quoted.length() - 1).getBytes(StandardCharsets.UTF_8);
    ensureCapacity(utf8.length);
    System.arraycopy(utf8, 0, buffer, size, utf8.length);
    size += utf8.length;
  }

  private void separate() {
    if (!first) {
      put(',');
    }
    first = false;
  }

  private void put(char c) {
    ensureCapacity(1);
    buffer[size++] = (byte) c;
  }

  private void ascii(String text) {
    ensureCapacity(text.length());
    copy(text);
  }

  /** Requires an ASCII text and enough capacity. */
  @SuppressWarnings("deprecation") // The only method that copies without a temporary array.
  private void copy(String ascii) {
    ascii.getBytes(0, ascii.length(), buffer, size);
    size += ascii.length();
  }

  private void ensureCapacity(int bytes) {
    if (size + bytes >= buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, size + bytes + 1));
    }
  }
}
