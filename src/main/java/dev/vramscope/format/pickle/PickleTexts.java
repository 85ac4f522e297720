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
 * Interns the strings of one file as UTF-8 bytes; a {@link String} is created only on request. Not
 * thread-safe.
 *
 * <pre>
 *   text n = bytes[starts[n] .. starts[n + 1])
 *   slots: open addressing with a hash seeded per table, so that colliding strings cannot be
 *          prepared; a slot holds n + 1, or 0 if it is empty
 * </pre>
 *
 * Lone surrogates, which Python writes as three bytes each, are preserved; other invalid bytes
 * become U+FFFD in the {@link String}.
 */
public final class PickleTexts {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  /** A reference, a start, a hash and two to four slots. */
  private static final long STRING_BYTES = 24;

  private final long seed = new SplittableRandom().nextLong();
  private final int maxBytes;
  private byte[] bytes = new byte[1 << 14];
  private int[] starts = new int[256];
  private int[] hashes = new int[256];
  private @Nullable String[] strings = new @Nullable String[256];
  private int[] slots = new int[1024];
  private int size;

  /**
   * @param maxBytes total length of all strings
   * @param initialTexts distinct strings that get the numbers 0, 1, 2, …
   */
  public PickleTexts(int maxBytes, Iterable<String> initialTexts) {
    this.maxBytes = maxBytes;
    for (String text : initialTexts) {
      byte[] encoded = Utf8.encode(text);
      append(encoded, 0, encoded.length, hash(encoded, 0, encoded.length));
    }
  }

  public int size() {
    return size;
  }

  /** About how much heap the strings take. */
  public long heapBytes() {
    return starts[size] + size * STRING_BYTES;
  }

  /** The number of the string {@code source[from..from + length)}, which is added if it is new. */
  public int intern(byte[] source, int from, int length) throws FormatException {
    int hash = hash(source, from, length);
    int mask = slots.length - 1;
    for (int slot = hash & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      int number = slots[slot] - 1;
      if (hashes[number] == hash && isEqual(number, source, from, length)) {
        return number;
      }
    }
    if (starts[size] + (long) length > maxBytes) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the file's distinct strings take more than " + maxBytes + " bytes",
          "",
          "If this is a real snapshot, start the server with a larger heap.");
    }
    return append(source, from, length, hash);
  }

  public int intern(String text) throws FormatException {
    byte[] encoded = Utf8.encode(text);
    return intern(encoded, 0, encoded.length);
  }

  public String text(int number) {
    String text = strings[number];
    if (text == null) {
      text = Utf8.decode(bytes, starts[number], starts[number + 1]);
      strings[number] = text;
    }
    return text;
  }

  public boolean isEmpty(int number) {
    return starts[number] == starts[number + 1];
  }

  /** The number of slots that a lookup of a string reads; 1 if nothing collides with it. */
  int probeCount(int number) {
    int mask = slots.length - 1;
    int probes = 1;
    for (int slot = hashes[number] & mask; slots[slot] != number + 1; slot = (slot + 1) & mask) {
      probes++;
    }
    return probes;
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
        insert(number);
      }
    } else {
      insert(size - 1);
    }
    return size - 1;
  }

  private void insert(int number) {
    int mask = slots.length - 1;
    int slot = hashes[number] & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = number + 1;
  }

  // Two multiplications to 128 bits per 8 bytes: collisions cannot be prepared without the seed.
  private int hash(byte[] source, int from, int length) {
    long mixed = seed ^ length * MULTIPLIER;
    int at = from;
    int end = from + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      mixed = fold(mixed ^ (long) LONGS.get(source, at), seed | 1);
    }
    mixed = fold(mixed ^ word(source, at, end - at), MULTIPLIER ^ seed);
    return (int) (mixed ^ mixed >>> 32);
  }

  private boolean isEqual(int number, byte[] source, int from, int length) {
    int start = starts[number];
    int end = starts[number + 1];
    // Most repeated strings are as short as "N/A".
    return length < Long.BYTES
        ? end - start == length && word(bytes, start, length) == word(source, from, length)
        : Arrays.equals(bytes, start, end, source, from, from + length);
  }

  // The next 0 to 7 bytes. Loads 8 bytes where the array has them and drops the others.
  private static long word(byte[] source, int from, int count) {
    if (from + Long.BYTES <= source.length) {
      return (long) LONGS.get(source, from) & ~(-1L << (Byte.SIZE * count));
    }
    long word = 0;
    for (int i = from + count - 1; i >= from; i--) {
      word = word << Byte.SIZE | (source[i] & 0xFF);
    }
    return word;
  }

  private static long fold(long a, long b) {
    return a * b ^ Math.unsignedMultiplyHigh(a, b);
  }
}
