package dev.vramscope.analysis;

import java.util.Arrays;

/**
 * The largest free gap of a lane while blocks and edges of held memory come and go: a binary tree
 * over all that ever occur, in address order. A node has the first and the last position that is
 * occupied below it, and the largest gap between two occupied positions.
 *
 * <pre>
 *               [first, last, gap]
 *              /                  \
 *        block A                 (nothing now)         a change updates the nodes above a leaf,
 *       /       \                 /        \           until one stays the same
 *    edge       A              B            edge
 * </pre>
 */
final class FreeGaps {
  /** The first position of an edge without held memory before it: no gap ends there. */
  static final long NO_GAP_BEFORE = Long.MIN_VALUE / 4;

  /** The last position of an edge without held memory after it: no gap starts there. */
  static final long NO_GAP_AFTER = Long.MAX_VALUE / 4;

  private static final long EMPTY = -1;

  private final int leaves;
  private final long[] first;
  private final long[] last;
  private final long[] gap;

  FreeGaps(int leafCount) {
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, leafCount * 2 - 1)));
    first = new long[leaves * 2];
    last = new long[leaves * 2];
    gap = new long[leaves * 2];
    Arrays.fill(gap, EMPTY);
  }

  /** The largest gap in bytes, 0 if there is none. */
  long largest() {
    return Math.max(0, gap[1]);
  }

  void occupy(int leaf, long from, long to) {
    int node = leaves + leaf;
    first[node] = from;
    last[node] = to;
    gap[node] = 0;
    update(node);
  }

  void vacate(int leaf) {
    gap[leaves + leaf] = EMPTY;
    update(leaves + leaf);
  }

  private void update(int changed) {
    for (int node = changed >> 1; node > 0; node >>= 1) {
      int left = node * 2;
      int right = left + 1;
      long from;
      long to;
      long most;
      if (gap[left] == EMPTY || gap[right] == EMPTY) {
        int only = gap[left] == EMPTY ? right : left;
        from = first[only];
        to = last[only];
        most = gap[only];
      } else {
        from = first[left];
        to = last[right];
        most = Math.max(Math.max(gap[left], gap[right]), first[right] - last[left]);
      }
      if (first[node] == from && last[node] == to && gap[node] == most) {
        return;
      }
      first[node] = from;
      last[node] = to;
      gap[node] = most;
    }
  }
}
