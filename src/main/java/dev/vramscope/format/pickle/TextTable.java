package dev.vramscope.format.pickle;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The distinct strings of one file, as UTF-8 bytes; a {@link String} is made only of those that are
 * asked for. Not thread-safe.
 *
 * <pre>
 *   text n = bytes[starts[n] .. starts[n + 1])
 *   slots: open addressing by a hash that is seeded per table, so that a file cannot be made of
 *          strings that collide; a slot holds n + 1, 0 is empty
 * </pre>
 *
 * Lone surrogates, which Python writes as three bytes each, survive; other invalid bytes become
 * U+FFFD when the string is made.
 */
public final class TextTable {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private final long seed = new SplittableRandom().nextLong();
  private final int maxBytes;
  private byte[] bytes = new byte[1 << 14];
  private int[] starts = new int[256];
  private int[] hashes = new int[256];
  private @Nullable String[] strings = new @Nullable String[256];
  private int[] slots = new int[1024];
  private int size;

  /**
   * @param maxBytes of all texts together
   * @param known texts that get the numbers 0, 1, 2, …; each once
   */
  public TextTable(int maxBytes, Iterable<String> known) {
    this.maxBytes = maxBytes;
    for (String word : known) {
      byte[] encoded = Utf8.encode(word);
      append(encoded, 0, encoded.length, hash(encoded, 0, encoded.length));
    }
  }

  public int size() {
    return size;
  }

  /** The number of the text {@code source[from..from + length)}. */
  public int intern(byte[] source, int from, int length) throws FormatException {
    int hash = hash(source, from, length);
    int mask = slots.length - 1;
    for (int slot = hash & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      int number = slots[slot] - 1;
      if (hashes[number] == hash
          && Arrays.equals(
              bytes, starts[number], starts[number + 1], source, from, from + length)) {
        return number;
      }
    }
    if (starts[size] + (long) length > maxBytes) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the file's distinct strings take more than " + maxBytes + " bytes",
          "",
          "Give the server a larger heap if this is a real snapshot.");
    }
    return append(source, from, length, hash);
  }

  public int intern(String text) throws FormatException {
    byte[] encoded = Utf8.encode(text);
    return intern(encoded, 0, encoded.length);
  }

  public String text(int number) {
    String known = strings[number];
    if (known == null) {
      known = Utf8.decode(bytes, starts[number], starts[number + 1]);
      strings[number] = known;
    }
    return known;
  }

  public boolean isEmpty(int number) {
    return starts[number] == starts[number + 1];
  }

  private int append(byte[] source, int from, int length, int hash) {
    int end = starts[size] + length;
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.clamp(2L * end, end, Integer.MAX_VALUE - 8));
    }
    System.arraycopy(source, from, bytes, starts[size], length);
    if (size + 1 == starts.length) {
      starts = Arrays.copyOf(starts, size * 2 + 2);
      hashes = Arrays.copyOf(hashes, size * 2 + 2);
      strings = Arrays.copyOf(strings, size * 2 + 2);
    }
    hashes[size] = hash;
    starts[size + 1] = end;
    size++;
    if (size * 2 > slots.length) {
      slots = new int[slots.length * 4];
      for (int number = 0; number < size; number++) {
        place(number);
      }
    } else {
      place(size - 1);
    }
    return size - 1;
  }

  private void place(int number) {
    int mask = slots.length - 1;
    int slot = hashes[number] & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = number + 1;
  }

  // Two multiplications to 128 bits per 8 bytes: without the seed no collision can be prepared.
  private int hash(byte[] source, int from, int length) {
    long mixed = seed ^ length * MULTIPLIER;
    int at = from;
    int end = from + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      mixed = fold(mixed ^ (long) LONGS.get(source, at), seed | 1);
    }
    long tail = 0;
    for (; at < end; at++) {
      tail = tail << 8 | (source[at] & 0xFF);
    }
    mixed = fold(mixed ^ tail, MULTIPLIER ^ seed);
    return (int) (mixed ^ mixed >>> 32);
  }

  private static long fold(long a, long b) {
    return a * b ^ Math.unsignedMultiplyHigh(a, b);
  }
}
