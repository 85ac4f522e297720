package dev.vramscope.allocator.caching.history;

/**
 * The indexes of a ring buffer that grows to a maximum and then overwrites its oldest entries,
 * which are counted.
 *
 * <p>Reducing the maximum keeps all entries; later ones overwrite only the indexes below the new
 * maximum. PyTorch's ring buffer does the same, and its snapshots are compared with ours.
 */
final class RingIndex {
  private final int capacity;
  private int size;
  private int max = 1;
  private int next;
  private long overwritten;

  /**
   * Without entries, and with a maximum of 1.
   *
   * @param capacity the largest possible maximum
   */
  RingIndex(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Sets the maximum.
   *
   * @param entries unsigned; 0 counts as 1
   */
  void setMax(long entries) {
    max = Long.compareUnsigned(entries, capacity) > 0 ? capacity : (int) Math.max(1, entries);
  }

  int max() {
    return max;
  }

  /** The index of a new entry: the previous {@link #size()}, or that of an entry to overwrite. */
  int take() {
    if (size < max) {
      return size++;
    }
    overwritten++;
    int index = next++;
    // If the maximum was reduced while next was above it, writing continues to the old end first.
    // (PyTorch continues past the old end, out of bounds.)
    if (next == max || next == size) {
      next = 0;
    }
    return index;
  }

  int size() {
    return size;
  }

  long overwrittenCount() {
    return overwritten;
  }

  /** The index of the i-th oldest entry. */
  int index(int i) {
    int index = next + i;
    return index < size ? index : index - size;
  }

  void clear() {
    size = 0;
    next = 0;
    overwritten = 0;
  }
}
