package dev.vramscope.analysis.timeline;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import java.util.Arrays;

/**
 * The allocations of a window that are active at some sampled event, with the columns [column0,
 * column1) they span: the thick ones individually, in order of allocation, the others as a sum per
 * column.
 */
final class TimelineCandidates {
  private int[] rows = new int[1024];
  private int[] column0 = new int[1024];
  private int[] column1 = new int[1024];
  private long[] bytes = new long[1024];
  private int size;
  private int count;
  private int visibleCount;
  private final long[] thinChange;
  private final long[] liveBeforeChange;

  TimelineCandidates(Lifetimes lifetimes, PixelColumns columns, long leastBytes) {
    thinChange = new long[columns.width() + 1];
    liveBeforeChange = new long[columns.width() + 1];
    int from = columns.window().from();
    int limit = lifetimes.firstAllocatedFrom(columns.window().to());
    for (int row = 0; row < limit; row++) {
      int end = lifetimes.endEvent(row);
      if (end < from) {
        continue;
      }
      count++;
      if (end == from) {
        continue;
      }
      int first = columns.firstAtOrAfter(lifetimes.allocationEvent(row));
      int last = columns.firstAtOrAfter(end);
      if (first < last) {
        visibleCount++;
        if (row < lifetimes.liveBeforeCount()) {
          liveBeforeChange[first] += lifetimes.bytes(row);
          liveBeforeChange[last] -= lifetimes.bytes(row);
        }
        add(row, first, last, lifetimes.bytes(row), leastBytes);
      }
    }
  }

  private void add(int row, int first, int last, long rowBytes, long leastBytes) {
    if (rowBytes < leastBytes) {
      thinChange[first] += rowBytes;
      thinChange[last] -= rowBytes;
      return;
    }
    if (size == rows.length) {
      rows = Arrays.copyOf(rows, size * 2);
      column0 = Arrays.copyOf(column0, size * 2);
      column1 = Arrays.copyOf(column1, size * 2);
      bytes = Arrays.copyOf(bytes, size * 2);
    }
    rows[size] = row;
    column0[size] = first;
    column1[size] = last;
    bytes[size++] = rowBytes;
  }

  /** Number of allocations that are active at, or freed by, some event of the window. */
  int count() {
    return count;
  }

  /** Number of allocations that are active at a sampled event, thick or thin. */
  int visibleCount() {
    return visibleCount;
  }

  /** Number of thick allocations. */
  int size() {
    return size;
  }

  int row(int candidate) {
    return rows[candidate];
  }

  int column0(int candidate) {
    return column0[candidate];
  }

  int column1(int candidate) {
    return column1[candidate];
  }

  long bytes(int candidate) {
    return bytes[candidate];
  }

  /** Number of candidates of at least {@code leastBytes}. */
  int countFrom(long leastBytes) {
    int count = 0;
    for (int candidate = 0; candidate < size; candidate++) {
      if (bytes[candidate] >= leastBytes) {
        count++;
      }
    }
    return count;
  }

  /** The bytes, per column, of all allocations smaller than {@code leastBytes}. */
  long[] restBelow(long leastBytes) {
    long[] rest = thinChange.clone();
    for (int candidate = 0; candidate < size; candidate++) {
      if (bytes[candidate] < leastBytes) {
        rest[column0[candidate]] += bytes[candidate];
        rest[column1[candidate]] -= bytes[candidate];
      }
    }
    return summed(rest);
  }

  /** The bytes, per column, of the allocations from before the first event. */
  long[] liveBefore() {
    return summed(liveBeforeChange.clone());
  }

  private static long[] summed(long[] changes) {
    for (int column = 1; column < changes.length; column++) {
      changes[column] += changes[column - 1];
    }
    return changes;
  }
}
