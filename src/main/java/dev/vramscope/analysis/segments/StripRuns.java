package dev.vramscope.analysis.segments;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in each strip at the sampled events, of all that is too thin to draw: added as changes at
 * columns, read as runs of columns with the same sum, without those of 0 bytes.
 */
public final class StripRuns {
  private final SegmentLanes lanes;
  private final int width;

  /** The changes at the columns of each strip, or null where nothing is too thin. */
  private final long[] @Nullable [] changes;

  private int[] strip = new int[1024];
  private int[] column0 = new int[1024];
  private int[] column1 = new int[1024];
  private long[] bytes = new long[1024];
  private int count;

  StripRuns(SegmentLanes lanes, int width) {
    this.lanes = lanes;
    this.width = width;
    changes = new long[lanes.stripCount()][];
  }

  /** Adds a rectangle; its bytes count in the strips that it touches. */
  void add(int lane, long offset, long size, int from, int to) {
    SegmentLanes.Lane in = lanes.lanes().get(lane);
    int last = in.stripAt(offset + size - 1);
    for (int at = in.stripAt(offset); at <= last; at++) {
      long start = Math.max(offset, in.stripStart(at));
      long end = Math.min(offset + size, in.stripStart(at + 1));
      long[] ofStrip = changes(in.firstStrip() + at);
      ofStrip[from] += end - start;
      ofStrip[to] -= end - start;
    }
  }

  private long[] changes(int row) {
    long[] ofStrip = changes[row];
    if (ofStrip == null) {
      ofStrip = new long[width + 1];
      changes[row] = ofStrip;
    }
    return ofStrip;
  }

  /** Sums all that was added. */
  StripRuns sum() {
    for (int row = 0; row < changes.length; row++) {
      long[] ofStrip = changes[row];
      if (ofStrip != null) {
        sum(row, ofStrip);
      }
    }
    return this;
  }

  private void sum(int row, long[] ofStrip) {
    long now = 0;
    int since = 0;
    for (int column = 0; column <= width; column++) {
      long change = ofStrip[column];
      if (change != 0) {
        emit(row, since, column, now);
        now += change;
        since = column;
      }
    }
  }

  private void emit(int row, int from, int to, long sum) {
    if (sum == 0 || from == to) {
      return;
    }
    if (count == strip.length) {
      strip = Arrays.copyOf(strip, count * 2);
      column0 = Arrays.copyOf(column0, count * 2);
      column1 = Arrays.copyOf(column1, count * 2);
      bytes = Arrays.copyOf(bytes, count * 2);
    }
    strip[count] = row;
    column0[count] = from;
    column1[count] = to;
    bytes[count++] = sum;
  }

  public int count() {
    return count;
  }

  public int strip(int run) {
    return strip[run];
  }

  public int column0(int run) {
    return column0[run];
  }

  public int column1(int run) {
    return column1[run];
  }

  public long bytes(int run) {
    return bytes[run];
  }
}
