package dev.vramscope.allocator.caching.history;

import java.util.Arrays;

/**
 * A bounded list of events, four longs each, and two texts. When it is full the oldest is
 * overwritten; see {@link RingIndex}.
 *
 * <pre>
 *   0   event (8) | stream (16) | pool (24)
 *   1   address; of a failed request: what the device had free
 *   2   bytes
 *   3   time in microseconds
 * </pre>
 *
 * <p>Texts lie beside, and only if an event ever had one: user metadata, compile context. They are
 * references, so that a text goes when the last event that had it is overwritten.
 */
final class HistoryRing {
  private static final int WORDS = 4;
  private static final int TEXTS = 2;
  private static final int FIRST_CAPACITY = 1024;

  /** Events that fit in one array. */
  private static final int MOST_ENTRIES = (Integer.MAX_VALUE - 8) / WORDS;

  private static final String NO_TEXT = "";

  private final RingIndex places = new RingIndex(MOST_ENTRIES);
  private long[] words = {};

  /** Two for each event, or none at all. */
  private String[] texts = {};

  /**
   * Sets the bound.
   *
   * @param entries unsigned, at least 1 is taken
   */
  void setMaxEntries(long entries) {
    places.setBound(entries);
  }

  void clear() {
    places.clear();
    words = new long[0];
    texts = new String[0];
  }

  void add(int event, int stream, int pool, long address, long bytes, long timeMicros) {
    int place = takePlace();
    set(place, event, stream, pool, address, bytes, timeMicros);
    if (texts.length != 0) {
      setTexts(place, NO_TEXT, NO_TEXT);
    }
  }

  void add(
      int event,
      int stream,
      int pool,
      long address,
      long bytes,
      long timeMicros,
      String metadata,
      String compileContext) {
    int place = takePlace();
    set(place, event, stream, pool, address, bytes, timeMicros);
    if (texts.length == 0) {
      growTexts();
    }
    setTexts(place, metadata, compileContext);
  }

  private void set(
      int place, int event, int stream, int pool, long address, long bytes, long timeMicros) {
    int at = WORDS * place;
    long[] w = words;
    w[at] = ((long) event << 40) | ((long) stream << 24) | pool;
    w[at + 1] = address;
    w[at + 2] = bytes;
    w[at + 3] = timeMicros;
  }

  private void setTexts(int place, String metadata, String compileContext) {
    texts[TEXTS * place] = metadata;
    texts[TEXTS * place + 1] = compileContext;
  }

  private int takePlace() {
    int place = places.take();
    if (WORDS * place == words.length) {
      words = Arrays.copyOf(words, WORDS * capacityAfter(place));
      if (texts.length != 0) {
        growTexts();
      }
    }
    return place;
  }

  private void growTexts() {
    int before = texts.length;
    texts = Arrays.copyOf(texts, TEXTS * (words.length / WORDS));
    Arrays.fill(texts, before, texts.length, NO_TEXT);
  }

  private int capacityAfter(int entries) {
    long wanted = Math.max(FIRST_CAPACITY, 2L * entries);
    return (int) Math.min(wanted, places.bound());
  }

  int size() {
    return places.size();
  }

  long overwrittenCount() {
    return places.overwrittenCount();
  }

  /** The place of the i-th oldest entry. */
  int place(int i) {
    return places.place(i);
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

  String metadata(int place) {
    return texts.length == 0 ? NO_TEXT : texts[TEXTS * place];
  }

  String compileContext(int place) {
    return texts.length == 0 ? NO_TEXT : texts[TEXTS * place + 1];
  }
}
