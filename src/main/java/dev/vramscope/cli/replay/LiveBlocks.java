package dev.vramscope.cli.replay;

/**
 * The block handle that each id of a trace names: a hash table with open addressing. Handle 0 is no
 * block and not kept.
 */
final class LiveBlocks {
  /** 2^64 divided by the golden ratio. */
  private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

  private long[] ids = new long[1 << 12];
  private long[] handles = new long[1 << 12];
  private int size;

  void put(long id, long handle) {
    if (handle == 0) {
      remove(id);
      return;
    }
    if (2 * (size + 1) > ids.length) {
      grow();
    }
    int at = placeOf(id);
    if (handles[at] == 0) {
      size++;
    }
    ids[at] = id;
    handles[at] = handle;
  }

  /** The handle, or 0. */
  long get(long id) {
    return handles[placeOf(id)];
  }

  /** The handle, which is forgotten, or 0. */
  long remove(long id) {
    int at = placeOf(id);
    long handle = handles[at];
    if (handle != 0) {
      size--;
      closeGap(at);
    }
    return handle;
  }

  /** Moves later entries of a run back, so that searches need no tombstones. */
  private void closeGap(int start) {
    int mask = ids.length - 1;
    int gap = start;
    for (int at = (gap + 1) & mask; handles[at] != 0; at = (at + 1) & mask) {
      int home = home(ids[at]);
      if (((at - home) & mask) >= ((at - gap) & mask)) {
        ids[gap] = ids[at];
        handles[gap] = handles[at];
        gap = at;
      }
    }
    handles[gap] = 0;
  }

  private int placeOf(long id) {
    int mask = ids.length - 1;
    int at = home(id);
    while (handles[at] != 0 && ids[at] != id) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /**
   * Ids count up: taken as they are, those that live long would lie in one row that later ones have
   * to pass.
   */
  private int home(long id) {
    return (int) ((id * SPREAD) >>> 32) & (ids.length - 1);
  }

  private void grow() {
    long[] oldIds = ids;
    long[] oldHandles = handles;
    ids = new long[2 * oldIds.length];
    handles = new long[2 * oldIds.length];
    size = 0;
    for (int i = 0; i < oldIds.length; i++) {
      if (oldHandles[i] != 0) {
        put(oldIds[i], oldHandles[i]);
      }
    }
  }
}
