package dev.vramscope.format.pickle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds batches of a list that occurred before, by their bytes. A batch is stored if it consists of
 * memo reads only, so that equal bytes append equal values. In a snapshot it is a stack of frames:
 * a trace repeats few stacks many times, and they take more than half of the file.
 *
 * <pre>
 *   batch = arena[starts[slot] .. ends[slot]): the bytes after MARK, with APPENDS at the end
 *           lists[slot]: the list it was appended to
 * </pre>
 *
 * <p>The end of a batch is only known after its opcodes were decoded. {@link #find} avoids that: it
 * looks up the bytes up to the next byte 'e', which is APPENDS or part of an operand. No batch is
 * the beginning of another one, so bytes that are equal to a stored batch are that batch.
 *
 * <p>A batch has few possible slots and is not stored if they are in use. Prepared collisions
 * therefore cost no time. Not thread-safe.
 */
final class RepeatedBatches {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOWEST_BITS = 0x0101_0101_0101_0101L;
  private static final long HIGHEST_BITS = LOWEST_BITS << 7;
  private static final long APPENDS = LOWEST_BITS * 'e';
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;
  private static final int SLOTS = 1 << 14;
  private static final int PROBES = 4;
  private static final int MAX_ARENA_BYTES = 1 << 21;
  private static final int MAX_CANDIDATES = 3;

  // A file with this many more misses than hits has different stacks only.
  private static final int MAX_MISSES = 1 << 14;

  private final long[] lists = new long[SLOTS + PROBES];
  private final int[] starts = new int[SLOTS + PROBES];
  private final int[] ends = new int[SLOTS + PROBES];
  private byte[] arena = new byte[1 << 12];
  private int used;
  private boolean enabled = true;
  private int misses;
  private int end;

  // The file offset up to which a lookup without a result has scanned. No lookup begins before it,
  // so that no byte is scanned twice in vain.
  private long scanned;

  /**
   * Returns the list of an equal earlier batch, or {@link Cell#ABSENT} if none is found.
   *
   * <p>The input is at the first byte after MARK.
   */
  long find(PickleInput input) {
    int from = input.position;
    long offset = input.offset();
    if (!enabled || offset < scanned) {
      return Cell.ABSENT;
    }
    byte[] bytes = input.bytes;
    long hash = 0;
    int candidates = 0;
    int at = from;
    for (; at < input.limit && candidates < MAX_CANDIDATES; at += Long.BYTES) {
      long word = (long) LONGS.get(bytes, at);
      // The lowest set bit is the highest bit of the first byte 'e' in the word.
      long difference = word ^ APPENDS;
      long matchBits = (difference - LOWEST_BITS) & ~difference & HIGHEST_BITS;
      for (; matchBits != 0 && candidates < MAX_CANDIDATES; matchBits &= matchBits - 1) {
        candidates++;
        int bits = Long.numberOfTrailingZeros(matchBits) + 1;
        int to = at + bits / Byte.SIZE;
        int slot = to > input.limit ? -1 : slot(hash(hash, word, bits), bytes, from, to);
        if (slot >= 0) {
          end = to;
          misses--;
          return lists[slot];
        }
      }
      hash = mix(hash, word);
    }
    scanned = offset + (at - from);
    enabled = ++misses < MAX_MISSES;
    return Cell.ABSENT;
  }

  /** The index after the batch that was found last. */
  int end() {
    return end;
  }

  /** Stores the batch {@code bytes[from..to)} that was appended to a list. */
  void add(byte[] bytes, int from, int to, long list) {
    int length = to - from;
    if (!enabled || used + length > MAX_ARENA_BYTES) {
      return;
    }
    long hash = 0;
    int at = from;
    for (; at + Long.BYTES < to; at += Long.BYTES) {
      hash = mix(hash, (long) LONGS.get(bytes, at));
    }
    hash = hash(hash, (long) LONGS.get(bytes, at), (to - at) * Byte.SIZE);
    int slot = (int) hash & (SLOTS - 1);
    int last = slot + PROBES - 1;
    while (ends[slot] > 0) {
      if (slot == last || Arrays.equals(arena, starts[slot], ends[slot], bytes, from, to)) {
        return;
      }
      slot++;
    }
    if (used + length > arena.length) {
      arena = Arrays.copyOf(arena, Math.max(arena.length * 2, used + length));
    }
    System.arraycopy(bytes, from, arena, used, length);
    starts[slot] = used;
    used += length;
    ends[slot] = used;
    lists[slot] = list;
  }

  /** After a memo entry was replaced, equal bytes may have different values. */
  void disable() {
    enabled = false;
  }

  private int slot(long hash, byte[] bytes, int from, int to) {
    int first = (int) hash & (SLOTS - 1);
    for (int slot = first; slot < first + PROBES && ends[slot] > 0; slot++) {
      if (Arrays.equals(arena, starts[slot], ends[slot], bytes, from, to)) {
        return slot;
      }
    }
    return -1;
  }

  // Adds the lowest 1 to 64 bits of the last word.
  private static long hash(long hash, long word, int bits) {
    return mix(hash, word & (-1L >>> (Long.SIZE - bits)));
  }

  private static long mix(long hash, long word) {
    long mixed = (hash ^ word) * MULTIPLIER;
    return mixed ^ mixed >>> 32;
  }
}
