package dev.vramscope.replay;

/**
 * Maps the ids of a trace to block handles: a hash table with open addressing and without boxing.
 * Handle 0 means no block and is not stored.
 *
 * <pre>
 *   id | handle | id | handle | ...      handle 0: the slot is free
 * </pre>
 */
final class LiveBlocks {
  private static final int LOG2_INITIAL_SLOTS = 12;

  /** 2^64 divided by the golden ratio. */
  private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

  private long[] entries = new long[2 << LOG2_INITIAL_SLOTS];

  /** Masks an index into {@link #entries} to an even value, the start of a slot. */
  private int mask = entries.length - 2;

  private int shift = 63 - LOG2_INITIAL_SLOTS;
  private int size;

  void put(long id, long handle) {
    if (handle == 0) {
      remove(id);
      return;
    }
    if (4 * (size + 1) > entries.length) {
      grow();
    }
    int at = slotOf(id);
    if (entries[at + 1] == 0) {
      size++;
    }
    entries[at] = id;
    entries[at + 1] = handle;
  }

  /** The handle, or 0. */
  long get(long id) {
    return entries[slotOf(id) + 1];
  }

  /** Removes the id and returns its handle, or 0. */
  long remove(long id) {
    int at = slotOf(id);
    long handle = entries[at + 1];
    if (handle != 0) {
      size--;
      closeGap(at);
    }
    return handle;
  }

  /** Moves later entries of the run back, so that no tombstones are needed. */
  private void closeGap(int start) {
    int gap = start;
    for (int at = (gap + 2) & mask; entries[at + 1] != 0; at = (at + 2) & mask) {
      int preferred = preferredSlot(entries[at]);
      if (((at - preferred) & mask) >= ((at - gap) & mask)) {
        entries[gap] = entries[at];
        entries[gap + 1] = entries[at + 1];
        gap = at;
      }
    }
    entries[gap + 1] = 0;
  }

  private int slotOf(long id) {
    int at = preferredSlot(id);
    while (entries[at + 1] != 0 && entries[at] != id) {
      at = (at + 2) & mask;
    }
    return at;
  }

  /**
   * The slot for an id if it is free. Ids in a trace are consecutive; adjacent slots for them would
   * form one long run that every removal has to scan, so the multiplication spreads them.
   */
  private int preferredSlot(long id) {
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
