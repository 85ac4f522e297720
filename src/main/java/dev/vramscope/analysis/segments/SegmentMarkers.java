package dev.vramscope.analysis.segments;

import dev.vramscope.analysis.timeline.PixelColumns;
import dev.vramscope.model.IntColumn;

/** What the events of a column acquire (or map) and release (or unmap): all, not only sampled. */
public final class SegmentMarkers {
  private final int[] acquiredCount;
  private final int[] releasedCount;
  private final long[] acquiredBytes;
  private final long[] releasedBytes;

  SegmentMarkers(SegmentHistory history, PixelColumns columns) {
    acquiredCount = new int[columns.width()];
    releasedCount = new int[columns.width()];
    acquiredBytes = new long[columns.width()];
    releasedBytes = new long[columns.width()];
    IntColumn events = history.events();
    int first = firstFrom(events, columns.window().from());
    int limit = firstFrom(events, columns.window().to());
    for (int i = first; i < limit; i++) {
      int event = events.get(i);
      int column = columns.columnOf(event);
      boolean acquires = history.isAcquiring(event);
      (acquires ? acquiredCount : releasedCount)[column]++;
      (acquires ? acquiredBytes : releasedBytes)[column] += history.bytes(event);
    }
  }

  private static int firstFrom(IntColumn events, int event) {
    int low = 0;
    int high = events.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (events.get(middle) < event) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  public int acquiredCount(int column) {
    return acquiredCount[column];
  }

  public int releasedCount(int column) {
    return releasedCount[column];
  }

  public long acquiredBytes(int column) {
    return acquiredBytes[column];
  }

  public long releasedBytes(int column) {
    return releasedBytes[column];
  }
}
