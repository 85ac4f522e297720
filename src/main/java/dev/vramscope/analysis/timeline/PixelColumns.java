package dev.vramscope.analysis.timeline;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.EventTimes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.model.Trace;

/**
 * A window of events divided into pixel columns, each sampled at its event with the most active
 * bytes. Column {@code c} of {@code width} covers the events from {@code from + c * size / width}
 * (inclusive) to the first event of the next column.
 */
public final class PixelColumns {
  private final EventWindow window;
  private final int width;
  private final double columnsPerEvent;
  private final int[] starts;
  private final long fromMicros;
  private final long toMicros;
  private final int[] sampled;
  private final long[] minima;

  public PixelColumns(ActiveBytes active, EventWindow window, int width) {
    this.window = window;
    this.width = Math.min(width, window.size());
    fromMicros = Trace.NO_TIME;
    toMicros = Trace.NO_TIME;
    columnsPerEvent = window.size() == 0 ? 0 : (double) this.width / window.size();
    starts = new int[this.width + 1];
    for (int column = 0; column <= this.width && this.width > 0; column++) {
      starts[column] = window.from() + (int) ((long) column * window.size() / this.width);
    }
    sampled = new int[this.width];
    minima = new long[this.width];
    sample(active, /* withStateBefore= */ false);
  }

  /**
   * Columns of equal time, which begin with the state that the events before them have left. A
   * column without an event is sampled at the last one before it.
   *
   * @param times ascending
   * @param width reduced if the window lasts fewer microseconds
   */
  public PixelColumns(ActiveBytes active, EventWindow window, EventTimes times, int width) {
    this.window = window;
    boolean isEmpty = window.size() == 0;
    fromMicros = isEmpty ? Trace.NO_TIME : times.at(window.from());
    toMicros =
        isEmpty
            ? Trace.NO_TIME
            : Math.max(
                fromMicros + 1,
                window.to() < times.eventCount()
                    ? times.at(window.to())
                    : times.at(window.to() - 1) + 1);
    long duration = toMicros - fromMicros;
    this.width = isEmpty ? 0 : (int) Math.min(width, duration);
    columnsPerEvent = 0;
    starts = new int[this.width + 1];
    for (int column = 1; column < this.width; column++) {
      long start = fromMicros + (long) ((double) duration * column / this.width);
      starts[column] = Math.clamp(times.firstFrom(start), window.from(), window.to());
    }
    starts[0] = window.from();
    starts[this.width] = window.to();
    sampled = new int[this.width];
    minima = new long[this.width];
    sample(active, /* withStateBefore= */ true);
  }

  private void sample(ActiveBytes active, boolean withStateBefore) {
    for (int column = 0; column < width; column++) {
      int from = starts[column];
      if (withStateBefore) {
        from = Math.max(window.from(), from - 1);
      }
      int to = Math.max(from + 1, starts[column + 1]);
      sampled[column] = active.maxEvent(from, to);
      minima[column] = active.min(from, to);
    }
  }

  public EventWindow window() {
    return window;
  }

  public int width() {
    return width;
  }

  public int sampled(int column) {
    return sampled[column];
  }

  long min(int column) {
    return minima[column];
  }

  /** The first column that is sampled at or after an event; {@link #width} if there is none. */
  public int firstAtOrAfter(int event) {
    if (event <= window.from()) {
      return 0;
    }
    if (event >= window.to()) {
      return width;
    }
    int column = columnOf(event);
    return sampled[column] >= event ? column : column + 1;
  }

  /** The column that covers an event of the window. */
  public int columnOf(int event) {
    if (isByTime()) {
      return lastFrom(event);
    }
    int column = Math.min(width - 1, (int) ((event - window.from()) * columnsPerEvent));
    while (column > 0 && starts[column] > event) {
      column--;
    }
    while (starts[column + 1] <= event) {
      column++;
    }
    return column;
  }

  /** The last column that starts at an event or before it. */
  private int lastFrom(int event) {
    int low = 0;
    int high = width;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (starts[middle] <= event) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  boolean isByTime() {
    return fromMicros != Trace.NO_TIME;
  }

  /** The first event of a column or, if it has none, of the next one that has. */
  int start(int column) {
    return starts[column];
  }

  /** When the first column begins, or {@link Trace#NO_TIME} if columns are not of equal time. */
  long fromMicros() {
    return fromMicros;
  }

  /** When the last column ends, or {@link Trace#NO_TIME} if columns are not of equal time. */
  long toMicros() {
    return toMicros;
  }
}
