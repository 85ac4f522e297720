package dev.vramscope.plan;

import java.util.Arrays;

/**
 * The sizes of one allocation by recording.
 *
 * @param bytes {@link Alignment#NONE} in a recording in which the allocation is missing
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by content.
record RecordedSizes(long[] bytes) {
  /** The largest recorded size. */
  long largest() {
    return Arrays.stream(bytes).max().orElseThrow();
  }

  /** The recordings that have the allocation. */
  int[] present() {
    int[] indices = new int[bytes.length];
    int count = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != Alignment.NONE) {
        indices[count++] = i;
      }
    }
    return Arrays.copyOf(indices, count);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RecordedSizes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
