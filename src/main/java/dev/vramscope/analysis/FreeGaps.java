package dev.vramscope.analysis;

/**
 * The largest free gap of a lane while blocks and edges of held memory come and go: a binary tree
 * over all that ever occur, in address order. A node has the first and the last position that is
 * occupied below it, and the largest gap between two occupied positions.
 *
 * <pre>
 *               [first, last, gap]
 *              /                  \
 *        block A                 (nothing now)
 *       /       \                 /        \
 *    edge       A              B            edge
 * </pre>
 *
 * Changes only mark the nodes above the leaves; asking for the largest gap updates these level by
 * level, each once, and what is above them only where something differs. Most changes between two
 * questions are a block that makes room for an equal one.
 */
final class FreeGaps {
  /** The first position of an edge without held memory before it: no gap ends there. */
  static final long NO_GAP_BEFORE = Long.MIN_VALUE / 4;

  /** The last position of an edge without held memory after it: no gap starts there. */
  static final long NO_GAP_AFTER = Long.MAX_VALUE / 4;

  private static final long EMPTY = -1;

  // A node is nodes[4 * n ..]: first, last, gap, unused; siblings share a cache line.
  private static final int STRIDE = 4;
  private static final int LAST = 1;
  private static final int GAP = 2;

  private final int leaves;
  private final long[] nodes;
  private final boolean[] isMarked;
  private final int[] marked;
  private int markedCount;

  FreeGaps(int leafCount) {
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, leafCount * 2 - 1)));
    nodes = new long[leaves * 2 * STRIDE];
    for (int at = GAP; at < nodes.length; at += STRIDE) {
      nodes[at] = EMPTY;
    }
    isMarked = new boolean[leaves];
    marked = new int[leaves / 2 + 1];
  }

  /** The largest gap in bytes, 0 if there is none. */
  long largest() {
    while (markedCount > 0) {
      int count = markedCount;
      markedCount = 0;
      // The nodes above are marked at the start of the array, which has been read.
      for (int i = 0; i < count; i++) {
        int node = marked[i];
        isMarked[node] = false;
        if (update(node)) {
          mark(node >> 1);
        }
      }
    }
    return Math.max(0, nodes[STRIDE + GAP]);
  }

  void occupy(int leaf, long from, long to) {
    set(leaves + leaf, from, to, 0);
    mark((leaves + leaf) >> 1);
  }

  void vacate(int leaf) {
    nodes[(leaves + leaf) * STRIDE + GAP] = EMPTY;
    mark((leaves + leaf) >> 1);
  }

  private void mark(int node) {
    if (node > 0 && !isMarked[node]) {
      isMarked[node] = true;
      marked[markedCount++] = node;
    }
  }

  private boolean set(int node, long from, long to, long most) {
    int at = node * STRIDE;
    if (nodes[at] == from && nodes[at + LAST] == to && nodes[at + GAP] == most) {
      return false;
    }
    nodes[at] = from;
    nodes[at + LAST] = to;
    nodes[at + GAP] = most;
    return true;
  }

  /** Whether the node differs after the update. */
  private boolean update(int node) {
    int left = node * 2 * STRIDE;
    int right = left + STRIDE;
    long leftGap = nodes[left + GAP];
    long rightGap = nodes[right + GAP];
    if (leftGap == EMPTY) {
      return set(node, nodes[right], nodes[right + LAST], rightGap);
    }
    if (rightGap == EMPTY) {
      return set(node, nodes[left], nodes[left + LAST], leftGap);
    }
    return set(
        node,
        nodes[left],
        nodes[right + LAST],
        Math.max(Math.max(leftGap, rightGap), nodes[right] - nodes[left + LAST]));
  }
}
