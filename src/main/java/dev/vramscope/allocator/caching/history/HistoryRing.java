package dev.vramscope.allocator.caching.history;

import java.util.Arrays;

/**
 * A ring buffer of events, each of four longs and two texts. When it is full the oldest event is
 * overwritten; see {@link RingIndex}.
 *
 * <pre>
 *   0   action (8) | stream (16) | pool (24)
 *   1   address; of a failed request: free memory of the device
 *   2   bytes
 *   3   time in microseconds
 * </pre>
 *
 * <p>Texts (user metadata and compile context) are in an array of their own, allocated when the
 * first event has one. They are references, so a text is garbage when its last event is
 * overwritten.
 */
final class HistoryRing {
  private static final int WORDS = 4;
  private static final int TEXTS = 2;
  private static final int INITIAL_CAPACITY = 1024;

  /** The number of events that fit in one array. */
  private static final int MAX_ENTRIES = (Integer.MAX_VALUE - 8) / WORDS;

  private static final String NO_TEXT = "";

  private final RingIndex indexes = new RingIndex(MAX_ENTRIES);
  private long[] words = {};

  /** Two for each event, or empty if no event has a text. */
  private String[] texts = {};

  /**
   * Sets the maximum.
   *
   * @param entries unsigned; 0 counts as 1
   */
  void setMaxEntries(long entries) {
    indexes.setMax(entries);
  }

  void clear() {
    indexes.clear();
    words = new long[0];
    texts = new String[0];
  }

  void add(int action, int stream, int pool, long address, long bytes, long timeMicros) {
    int entry = nextEntry();
    set(entry, action, stream, pool, address, bytes, timeMicros);
    if (texts.length != 0) {
      setTexts(entry, NO_TEXT, NO_TEXT);
    }
  }

  void add(
      int action,
      int stream,
      int pool,
      long address,
      long bytes,
      long timeMicros,
      String metadata,
      String compileContext) {
    int entry = nextEntry();
    set(entry, action, stream, pool, address, bytes, timeMicros);
    if (texts.length == 0) {
      growTexts();
    }
    setTexts(entry, metadata, compileContext);
  }

  private void set(
      int entry, int action, int stream, int pool, long address, long bytes, long timeMicros) {
    int at = WORDS * entry;
    long[] w = words;
    w[at] = ((long) action << 40) | ((long) stream << 24) | pool;
    w[at + 1] = address;
    w[at + 2] = bytes;
    w[at + 3] = timeMicros;
  }

  private void setTexts(int entry, String metadata, String compileContext) {
    texts[TEXTS * entry] = metadata;
    texts[TEXTS * entry + 1] = compileContext;
  }

  private int nextEntry() {
    int entry = indexes.take();
    if (WORDS * entry == words.length) {
      words = Arrays.copyOf(words, WORDS * capacityAfter(entry));
      if (texts.length != 0) {
        growTexts();
      }
    }
    return entry;
  }

  private void growTexts() {
    int before = texts.length;
    texts = Arrays.copyOf(texts, TEXTS * (words.length / WORDS));
    Arrays.fill(texts, before, texts.length, NO_TEXT);
  }

  private int capacityAfter(int entries) {
    long wantedCapacity = Math.max(INITIAL_CAPACITY, 2L * entries);
    return (int) Math.min(wantedCapacity, indexes.max());
  }

  int size() {
    return indexes.size();
  }

  long overwrittenCount() {
    return indexes.overwrittenCount();
  }

  /** The index of the i-th oldest entry. */
  int index(int i) {
    return indexes.index(i);
  }

  /** The code of a {@link dev.vramscope.model.TraceAction}. */
  int action(int entry) {
    return (int) (words[WORDS * entry] >>> 40);
  }

  int stream(int entry) {
    return (int) (words[WORDS * entry] >>> 24) & 0xffff;
  }

  int pool(int entry) {
    return (int) words[WORDS * entry] & 0xff_ffff;
  }

  long address(int entry) {
    return words[WORDS * entry + 1];
  }

  long bytes(int entry) {
    return words[WORDS * entry + 2];
  }

  long timeMicros(int entry) {
    return words[WORDS * entry + 3];
  }

  String metadata(int entry) {
    return texts.length == 0 ? NO_TEXT : texts[TEXTS * entry];
  }

  String compileContext(int entry) {
    return texts.length == 0 ? NO_TEXT : texts[TEXTS * entry + 1];
  }
}
