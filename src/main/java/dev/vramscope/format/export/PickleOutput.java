package dev.vramscope.format.export;

import dev.vramscope.format.pickle.Utf8;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes a pickle of protocol 4, one opcode per call. Only the 22 opcodes that occur in real
 * snapshots are written, because PyTorch's viewer supports few others.
 *
 * <pre>
 *   80 04   95 length(8) opcodes…   95 length(8) opcodes… 2e
 *           └ a frame, about 64 KiB ┘
 * </pre>
 *
 * An opcode never crosses a frame boundary; a string too long for a frame is written between two
 * frames. Memo numbers are consecutive from 0, in the order of the {@link #memoize} calls. Not
 * thread-safe.
 */
final class PickleOutput {
  /** The number of items between a mark and its APPENDS or SETITEMS, as in Python. */
  static final int BATCH = 1000;

  private static final int FRAME_BYTES = 64 << 10;
  private static final int FRAME_HEADER_BYTES = 9;
  private static final int MAX_NUMBER_BYTES = 11;
  private static final int LONG_TEXT_BYTES = FRAME_BYTES / 2;

  private final OutputStream out;
  private final byte[] buffer = new byte[FRAME_BYTES];
  private final Map<String, Integer> texts = new HashMap<>();
  private int position = FRAME_HEADER_BYTES;
  private int memoized;

  PickleOutput(OutputStream out) throws IOException {
    this.out = out;
    out.write(new byte[] {(byte) 0x80, 4});
  }

  void emptyDict() throws IOException {
    opcode('}');
  }

  void emptyList() throws IOException {
    opcode(']');
  }

  void mark() throws IOException {
    opcode('(');
  }

  /** Adds the key-value pairs since the last mark to the dict before it. */
  void setItems() throws IOException {
    opcode('u');
  }

  /** Appends the items since the last mark to the list before it. */
  void appends() throws IOException {
    opcode('e');
  }

  /** Replaces the last two values by a pair of them. */
  void pair() throws IOException {
    opcode(0x86);
  }

  void bool(boolean value) throws IOException {
    opcode(value ? 0x88 : 0x89);
  }

  /** Stores the last value in the memo and returns its number. */
  int memoize() throws IOException {
    opcode(0x94);
    return memoized++;
  }

  /** Pushes the value with a memo number. */
  void get(int memo) throws IOException {
    ensure(5);
    if (memo < 256) {
      buffer[position++] = 'h';
      buffer[position++] = (byte) memo;
    } else {
      buffer[position++] = 'j';
      littleEndian(memo, 4);
    }
  }

  /** A signed number in its shortest encoding. */
  void number(long value) throws IOException {
    ensure(MAX_NUMBER_BYTES);
    if (value >= 0 && value < 1 << 8) {
      buffer[position++] = 'K';
      buffer[position++] = (byte) value;
    } else if (value >= 0 && value < 1 << 16) {
      buffer[position++] = 'M';
      littleEndian(value, 2);
    } else if (value == (int) value) {
      buffer[position++] = 'J';
      littleEndian(value, 4);
    } else {
      int bytes = (64 - Long.numberOfLeadingZeros(value < 0 ? ~value : value)) / 8 + 1;
      buffer[position++] = (byte) 0x8a;
      buffer[position++] = (byte) bytes;
      littleEndian(value, bytes);
    }
  }

  /** An unsigned number in its shortest encoding. */
  void unsigned(long value) throws IOException {
    if (value >= 0) {
      number(value);
      return;
    }
    ensure(MAX_NUMBER_BYTES);
    buffer[position++] = (byte) 0x8a;
    buffer[position++] = 9;
    littleEndian(value, 8);
    buffer[position++] = 0;
  }

  void real(double value) throws IOException {
    ensure(9);
    buffer[position++] = 'G';
    littleEndian(Long.reverseBytes(Double.doubleToRawLongBits(value)), 8);
  }

  /** A string; equal strings are written once. A lone surrogate is written as Python writes it. */
  void text(String text) throws IOException {
    Integer memo = texts.get(text);
    if (memo != null) {
      get(memo);
      return;
    }
    byte[] utf8 = Utf8.encode(text);
    if (utf8.length < 256) {
      ensure(2 + utf8.length);
      buffer[position++] = (byte) 0x8c;
      buffer[position++] = (byte) utf8.length;
      bytes(utf8);
    } else if (utf8.length < LONG_TEXT_BYTES) {
      ensure(5 + utf8.length);
      buffer[position++] = 'X';
      littleEndian(utf8.length, 4);
      bytes(utf8);
    } else {
      writeBetweenFrames(utf8);
    }
    texts.put(text, memoize());
  }

  /** Ends the pickle; the stream stays open. */
  void stop() throws IOException {
    opcode('.');
    endFrame();
    out.flush();
  }

  private void opcode(int opcode) throws IOException {
    ensure(1);
    buffer[position++] = (byte) opcode;
  }

  private void littleEndian(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      buffer[position++] = (byte) (value >>> (8 * i));
    }
  }

  private void ensure(int bytes) throws IOException {
    if (position + bytes > FRAME_BYTES) {
      endFrame();
    }
  }

  private void endFrame() throws IOException {
    int end = position;
    if (end == FRAME_HEADER_BYTES) {
      return;
    }
    position = 0;
    buffer[position++] = (byte) 0x95;
    littleEndian(end - FRAME_HEADER_BYTES, 8);
    out.write(buffer, 0, end);
    position = FRAME_HEADER_BYTES;
  }

  private void writeBetweenFrames(byte[] utf8) throws IOException {
    endFrame();
    buffer[position++] = 'X';
    littleEndian(utf8.length, 4);
    out.write(buffer, FRAME_HEADER_BYTES, position - FRAME_HEADER_BYTES);
    position = FRAME_HEADER_BYTES;
    out.write(utf8);
  }

  private void bytes(byte[] bytes) {
    System.arraycopy(bytes, 0, buffer, position, bytes.length);
    position += bytes.length;
  }
}
