package dev.vramscope.model;

/** Streams as text. {@code base/numbers.ts} formats them in the same way. */
public final class StreamText {
  private static final int MAX_NUMBER = 4096;

  private StreamText() {}

  /** Small numbers in decimal, handles in hex: {@code 7}, {@code 0x7000000}. */
  public static String of(long stream) {
    return stream >= 0 && stream < MAX_NUMBER
        ? Long.toString(stream)
        : "0x" + Long.toHexString(stream);
  }
}
