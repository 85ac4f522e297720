package dev.vramscope.replay;

/**
 * The block handle that each id of a trace names: a hash table with open addressing. Handle 0 is no
 * block and not kept.
 *
 * <pre>
 *   id | handle | id | handle | ...      handle 0: the place is free
 * </pre>
 */
final class LiveBlocks {
  private static final int LOG2_FIRST_PLACES = 12;

  /** 2^64 divided by the golden ratio. */
  private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

  private long[] entries = new long[2 << LOG2_FIRST_PLACES];

  /** The index of a place, twice its number, is even and within this. */
  private int mask = entries.length - 2;

  private int shift = 63 - LOG2_FIRST_PLACES;
  private int size;

  void put(long id, long handle) {
    if (handle == 0) {
      remove(id);
      return;
    }
    if (4 * (size + 1) > entries.length) {
      grow();
    }
    int at = placeOf(id);
    if (entries[at + 1] == 0) {
      size++;
    }
    entries[at] = id;
    entries[at + 1] = handle;
  }

  /** The handle, or 0. */
  long get(long id) {
    return entries[placeOf(id) + 1];
  }

  /** The handle, which is forgotten, or 0. */
  long remove(long id) {
    int at = placeOf(id);
    long handle = entries[at + 1];
    if (handle != 0) {
      size--;
      closeGap(at);
    }
    return handle;
  }

  /** Moves later entries of a run back, so that searches need no tombstones. */
  private void closeGap(int start) {
    int gap = start;
    for (int at = (gap + 2) & mask; entries[at + 1] != 0; at = (at + 2) & mask) {
      int home = home(entries[at]);
      if (((at - home) & mask) >= ((at - gap) & mask)) {
        entries[gap] = entries[at];
        entries[gap + 1] = entries[at + 1];
        gap = at;
      }
    }
    entries[gap + 1] = 0;
  }

  private int placeOf(long id) {
    int at = home(id);
    while (entries[at + 1] != 0 && entries[at] != id) {
      at = (at + 2) & mask;
    }
    return at;
  }

  /**
   * The ids of a trace count up. Side by side they would make one run that every removal walks to
   * its end; the product spreads them evenly instead.
   */
  private int home(long id) {
    return (int) ((id * SPREAD) >>> shift) & mask;
  }

  private void grow() {
    long[] old = entries;
    entries = new long[2 * old.length];
    mask = entries.length - 2;
    shift--;
    size = 0;
    for (int at = 0; at < old.length; at += 2) {
      if (old[at + 1] != 0) {
        put(old[at], old[at + 1]);
      }
    }
  }
}
