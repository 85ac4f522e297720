package dev.vramscope.analysis.segments;

/**
 * The largest free gap of a lane while blocks and edges of held memory come and go. All that ever
 * occurs is a leaf, in address order; 64 leaves form a chunk, and a binary tree is over the chunks.
 * A chunk or node has the first and the last position that is occupied below it, and the largest
 * gap between two occupied positions.
 *
 * <pre>
 *                [first, last, gap]
 *               /                  \
 *     [first, last, gap]        (nothing now)
 *     occupied: 0110…01         occupied: 0…0        64 leaves each
 * </pre>
 *
 * Changes only mark chunks; asking for the largest gap updates these once, from their occupied
 * leaves, and what is above them only where something differs. Most changes between two questions
 * are a block that makes room for an equal one.
 */
final class FreeGaps {
  /** The first position of an edge without held memory before it: no gap ends there. */
  static final long NO_GAP_BEFORE = Long.MIN_VALUE / 4;

  /** The last position of an edge without held memory after it: no gap starts there. */
  static final long NO_GAP_AFTER = Long.MAX_VALUE / 4;

  private static final long EMPTY = -1;

  private static final int CHUNK_SHIFT = 6;

  // A node is nodes[4 * n ..]: first, last, gap, unused; siblings share a cache line.
  private static final int STRIDE = 4;
  private static final int LAST = 1;
  private static final int GAP = 2;

  private final long[] from;
  private final long[] to;
  private final long[] occupied;
  private final int chunks;
  private final long[] nodes;
  private final boolean[] isMarked;
  private final int[] marked;
  private int markedCount;

  FreeGaps(int leafCount) {
    from = new long[leafCount];
    to = new long[leafCount];
    int least = Math.max(1, (leafCount >> CHUNK_SHIFT) + 1);
    chunks = Integer.highestOneBit(least * 2 - 1);
    occupied = new long[chunks];
    nodes = new long[chunks * 2 * STRIDE];
    for (int at = GAP; at < nodes.length; at += STRIDE) {
      nodes[at] = EMPTY;
    }
    isMarked = new boolean[chunks * 2];
    marked = new int[chunks];
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
        if (node >= chunks ? updateChunk(node) : update(node)) {
          mark(node >> 1);
        }
      }
    }
    return Math.max(0, nodes[STRIDE + GAP]);
  }

  void occupy(int leaf, long first, long last) {
    from[leaf] = first;
    to[leaf] = last;
    occupied[leaf >> CHUNK_SHIFT] |= 1L << leaf;
    mark(chunks + (leaf >> CHUNK_SHIFT));
  }

  void vacate(int leaf) {
    occupied[leaf >> CHUNK_SHIFT] &= ~(1L << leaf);
    mark(chunks + (leaf >> CHUNK_SHIFT));
  }

  private void mark(int node) {
    if (node > 0 && !isMarked[node]) {
      isMarked[node] = true;
      marked[markedCount++] = node;
    }
  }

  private boolean set(int node, long first, long last, long most) {
    int at = node * STRIDE;
    if (nodes[at] == first && nodes[at + LAST] == last && nodes[at + GAP] == most) {
      return false;
    }
    nodes[at] = first;
    nodes[at + LAST] = last;
    nodes[at + GAP] = most;
    return true;
  }

  /** Whether the chunk at a node differs after the update. */
  private boolean updateChunk(int node) {
    int chunk = node - chunks;
    long left = occupied[chunk];
    if (left == 0) {
      return set(node, 0, 0, EMPTY);
    }
    int base = chunk << CHUNK_SHIFT;
    int leaf = base + Long.numberOfTrailingZeros(left);
    long first = from[leaf];
    long last = to[leaf];
    long most = 0;
    for (left &= left - 1; left != 0; left &= left - 1) {
      leaf = base + Long.numberOfTrailingZeros(left);
      most = Math.max(most, from[leaf] - last);
      last = to[leaf];
    }
    return set(node, first, last, most);
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
