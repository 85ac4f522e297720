package dev.vramscope.allocator.caching.history;

/**
 * Where the entries of a bounded list go: one behind the other, and when it is full over the
 * oldest, which is counted.
 *
 * <p>Making the bound smaller keeps what is there; from then on writing goes round over the first
 * places only. PyTorch's ring does so, and people compare with its snapshots.
 */
final class RingIndex {
  private final int most;
  private int size;
  private int bound = 1;
  private int next;
  private long overwritten;

  /**
   * No entries yet, and a bound of 1.
   *
   * @param most the bound is never larger
   */
  RingIndex(int most) {
    this.most = most;
  }

  /**
   * Sets the bound.
   *
   * @param entries unsigned, at least 1 is taken
   */
  void setBound(long entries) {
    bound = Long.compareUnsigned(entries, most) > 0 ? most : (int) Math.max(1, entries);
  }

  int bound() {
    return bound;
  }

  /** The place of the next entry: {@link #size()} as it was, or one that is to be overwritten. */
  int take() {
    if (size < bound) {
      return size++;
    }
    overwritten++;
    int place = next++;
    // Made smaller while it wrote behind its new end, the ring goes on to its old end first. (The
    // original runs on from there into memory that is not its own.)
    if (next == bound || next == size) {
      next = 0;
    }
    return place;
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

  void clear() {
    size = 0;
    next = 0;
    overwritten = 0;
  }
}
