package dev.vramscope.format.pickle;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A stream as a sliding window of bytes: {@code bytes[position..limit)} is what has arrived and not
 * been read. The window grows only by bytes that have really arrived.
 */
final class PickleInput {
  private static final int WINDOW = 1 << 17;
  private static final int SPARE = Long.BYTES;

  private final InputStream stream;
  private long passed;

  /** Longer than {@code limit} by at least 8 bytes, so that a number can be loaded whole. */
  byte[] bytes = new byte[WINDOW];

  int position;
  int limit;

  PickleInput(InputStream stream) {
    this.stream = stream;
  }

  /** Offset in the file of the byte at {@code position}. */
  long offset() {
    return passed + position;
  }

  int available() {
    return limit - position;
  }

  /** Reads on until {@code count} bytes are available; false when the file ends before. */
  boolean await(int count) throws IOException {
    while (available() < count) {
      if (position > 0) {
        System.arraycopy(bytes, position, bytes, 0, available());
        passed += position;
        limit -= position;
        position = 0;
      }
      if (limit == bytes.length - SPARE) {
        bytes = Arrays.copyOf(bytes, bytes.length * 2);
      }
      int read = stream.read(bytes, limit, bytes.length - SPARE - limit);
      if (read < 0) {
        return false;
      }
      limit += read;
    }
    return true;
  }
}
