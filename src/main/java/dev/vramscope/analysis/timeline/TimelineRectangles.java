package dev.vramscope.analysis.timeline;

import java.util.Arrays;

/**
 * Computes rectangles in one sweep over the pixel columns, with a stack of the drawn allocations:
 *
 * <pre>
 *   slot         0      1      2      3          bottom to top = order of allocation
 *   allocation   a      b      c      d          index in the candidates
 *   since        0      0     17     40          column since which its bottom has not changed
 *   bottom       0    512   9 MiB  12 MiB
 * </pre>
 *
 * Newer allocations are put on top. When allocations end, all above the lowest of them move down,
 * and their previous positions become rectangles. Columns of the result: column0, column1, bottom,
 * candidate.
 */
final class TimelineRectangles {
  private final TimelineCandidates candidates;
  private final int limit;
  private int[] column0 = new int[1024];
  private int[] column1 = new int[1024];
  private int[] candidate = new int[1024];
  private long[] bottom = new long[1024];
  private int count;

  private int[] stack = new int[256];
  private int[] since = new int[256];
  private long[] bottoms = new long[256];
  private int depth;
  private long top;

  private TimelineRectangles(TimelineCandidates candidates, int limit) {
    this.candidates = candidates;
    this.limit = limit;
  }

  /**
   * The rectangles of the candidates of at least {@code leastBytes}; stops as soon as there are
   * more than {@code limit}.
   */
  static TimelineRectangles of(
      TimelineCandidates candidates, int width, long leastBytes, int limit) {
    TimelineRectangles rectangles = new TimelineRectangles(candidates, limit);
    rectangles.sweep(width, leastBytes);
    return rectangles;
  }

  int count() {
    return count;
  }

  int column0(int rectangle) {
    return column0[rectangle];
  }

  int column1(int rectangle) {
    return column1[rectangle];
  }

  long bottom(int rectangle) {
    return bottom[rectangle];
  }

  /** The index of a rectangle's allocation in the candidates. */
  int candidate(int rectangle) {
    return candidate[rectangle];
  }

  private void sweep(int width, long leastBytes) {
    int[] endingAt = new int[width + 1];
    int next = 0;
    for (int column = 0; column < width && count <= limit; column++) {
      if (endingAt[column] > 0) {
        removeEnded(column);
      }
      while (next < candidates.size() && candidates.column0(next) == column) {
        if (candidates.bytes(next) >= leastBytes) {
          push(next, column);
          endingAt[candidates.column1(next)]++;
        }
        next++;
      }
    }
    for (int slot = 0; slot < depth; slot++) {
      emit(slot, width);
    }
  }

  private void push(int index, int column) {
    if (depth == stack.length) {
      stack = Arrays.copyOf(stack, depth * 2);
      since = Arrays.copyOf(since, depth * 2);
      bottoms = Arrays.copyOf(bottoms, depth * 2);
    }
    stack[depth] = index;
    since[depth] = column;
    bottoms[depth++] = top;
    top += candidates.bytes(index);
  }

  private void removeEnded(int column) {
    int keptCount = 0;
    long height = 0;
    for (int slot = 0; slot < depth; slot++) {
      int index = stack[slot];
      if (candidates.column1(index) == column) {
        emit(slot, column);
        continue;
      }
      int from = since[slot];
      if (bottoms[slot] != height) {
        emit(slot, column);
        from = column;
      }
      stack[keptCount] = index;
      since[keptCount] = from;
      bottoms[keptCount++] = height;
      height += candidates.bytes(index);
    }
    depth = keptCount;
    top = height;
  }

  private void emit(int slot, int column) {
    if (count == column0.length) {
      column0 = Arrays.copyOf(column0, count * 2);
      column1 = Arrays.copyOf(column1, count * 2);
      candidate = Arrays.copyOf(candidate, count * 2);
      bottom = Arrays.copyOf(bottom, count * 2);
    }
    column0[count] = since[slot];
    column1[count] = column;
    candidate[count] = stack[slot];
    bottom[count++] = bottoms[slot];
  }
}
