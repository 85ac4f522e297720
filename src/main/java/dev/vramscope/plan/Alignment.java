package dev.vramscope.plan;

import java.util.List;

/**
 * The operations of two recordings, paired in their order.
 *
 * @param partners by operation of the first recording: that of the second, or {@link #NONE}
 * @param differences in order
 * @param isWhole whether all was compared; otherwise the recordings differ too much, and the last
 *     difference is the rest
 */
@SuppressWarnings("ArrayRecordComponent") // Of millions of operations; never compared.
record Alignment(int[] partners, List<Difference> differences, boolean isWhole) {
  static final int NONE = -1;

  /** The alignment of a recording with itself. */
  static final Alignment WITH_ITSELF = new Alignment(new int[0], List.of(), /* isWhole= */ true);

  Alignment {
    differences = List.copyOf(differences);
  }

  /** The operation of the other recording, or {@link #NONE}. */
  int partner(int operation) {
    return partners[operation];
  }

  boolean isComplete() {
    return differences.isEmpty();
  }
}
