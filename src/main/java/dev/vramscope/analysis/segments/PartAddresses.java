package dev.vramscope.analysis.segments;

/**
 * Finds the last of many ascending addresses that is not above a given one: the range from the
 * first to the last is divided into equal slices, and each slice knows which addresses are in
 * question.
 *
 * <pre>
 *   addresses        a0   a1 a2              a3
 *   slices         │    │    │    │    │    │    │
 *   lastUpTo start   0    0    2    2    2    2        a binary search between two neighbours
 * </pre>
 */
final class PartAddresses {
  private static final int SLICES = 1 << 12;

  private final long[] addresses;
  private final int shift;
  private final int[] lastAtStart;

  PartAddresses(long[] ascending) {
    addresses = ascending;
    long span = ascending.length == 0 ? 0 : ascending[ascending.length - 1] - ascending[0];
    shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(span / SLICES));
    lastAtStart = new int[(int) (span >>> shift) + 2];
    int last = 0;
    for (int slice = 0; slice < lastAtStart.length; slice++) {
      long start = (long) slice << shift;
      while (last + 1 < ascending.length && ascending[last + 1] - ascending[0] <= start) {
        last++;
      }
      lastAtStart[slice] = last;
    }
  }

  /** Its index, or -1 if all are above. */
  int lastUpTo(long address) {
    if (addresses.length == 0 || address < addresses[0]) {
      return -1;
    }
    int slice = (int) Math.min(lastAtStart.length - 2L, (address - addresses[0]) >>> shift);
    int low = lastAtStart[slice];
    int high = lastAtStart[slice + 1];
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (addresses[middle] <= address) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
