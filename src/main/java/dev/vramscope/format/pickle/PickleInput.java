package dev.vramscope.format.pickle;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A sliding window over a stream: {@code bytes[position..limit)} has arrived and is not yet read.
 * The window grows only as bytes arrive, never because of a declared length.
 */
final class PickleInput {
  private static final int WINDOW = 1 << 17;
  private static final int SPARE = Long.BYTES;

  private final InputStream stream;
  private long passed;

  /** At least 8 bytes longer than {@code limit}, so that a number is loaded in one access. */
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

  /** Reads until {@code count} bytes are available; returns false if the file ends before. */
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
