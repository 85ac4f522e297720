package dev.vramscope.allocator.caching;

import java.util.Arrays;

/**
 * A bounded list of events, five longs each. When it is full the oldest is overwritten, and
 * counted.
 *
 * <pre>
 *   0   event (8) | stream (16) | pool (24)
 *   1   address; of a failed request: what the device had free
 *   2   bytes
 *   3   time in microseconds
 *   4   user metadata (32) | compile context (32), as numbers of texts, 0 = none
 * </pre>
 *
 * <p>Making the ring smaller keeps what is in it; from then on writing goes round over its first
 * places only. PyTorch's ring does so, and people compare with its snapshots.
 */
final class HistoryRing {
  private static final int WORDS = 5;
  private static final int FIRST_CAPACITY = 1024;

  /** Events that fit in one array. */
  private static final int MOST_ENTRIES = (Integer.MAX_VALUE - 8) / WORDS;

  private long[] words = {};
  private int size;
  private int maxEntries = 1;
  private int next;
  private long overwritten;

  /**
   * Sets the bound.
   *
   * @param entries unsigned, at least 1 is taken
   */
  void setMaxEntries(long entries) {
    maxEntries =
        Long.compareUnsigned(entries, MOST_ENTRIES) > 0 ? MOST_ENTRIES : (int) Math.max(1, entries);
  }

  void clear() {
    words = new long[0];
    size = 0;
    next = 0;
    overwritten = 0;
  }

  void add(int event, int stream, int pool, long address, long bytes, long timeMicros, long texts) {
    int at = WORDS * place();
    long[] w = words;
    w[at] = ((long) event << 40) | ((long) stream << 24) | pool;
    w[at + 1] = address;
    w[at + 2] = bytes;
    w[at + 3] = timeMicros;
    w[at + 4] = texts;
  }

  private int place() {
    if (size < maxEntries) {
      if (WORDS * size == words.length) {
        words = Arrays.copyOf(words, WORDS * capacityAfter(size));
      }
      return size++;
    }
    overwritten++;
    int place = next++;
    // Made smaller while it wrote behind its new end, the ring goes on to its old end first. (The
    // original runs on from there into memory that is not its own.)
    if (next == maxEntries || next == size) {
      next = 0;
    }
    return place;
  }

  private int capacityAfter(int entries) {
    long wanted = Math.max(FIRST_CAPACITY, 2L * entries);
    return (int) Math.min(wanted, maxEntries);
  }

  int size() {
    return size;
  }

  long overwrittenCount() {
    return overwritten;
  }

  /** The place of the i-th oldest entry. */
  int place(int i) {
    int place = next + i;
    return place < size ? place : place - size;
  }

  int event(int place) {
    return (int) (words[WORDS * place] >>> 40);
  }

  int stream(int place) {
    return (int) (words[WORDS * place] >>> 24) & 0xffff;
  }

  int pool(int place) {
    return (int) words[WORDS * place] & 0xff_ffff;
  }

  long address(int place) {
    return words[WORDS * place + 1];
  }

  long bytes(int place) {
    return words[WORDS * place + 2];
  }

  long timeMicros(int place) {
    return words[WORDS * place + 3];
  }

  long texts(int place) {
    return words[WORDS * place + 4];
  }
}
