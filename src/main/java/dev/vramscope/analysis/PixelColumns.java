package dev.vramscope.analysis;

/**
 * A window of events divided into pixel columns, each sampled at its event with the most active
 * bytes. Column {@code c} of {@code width} covers the events from {@code from + c * size / width}
 * (inclusive) to the first event of the next column.
 */
final class PixelColumns {
  private final EventWindow window;
  private final int width;
  private final double columnsPerEvent;
  private final int[] starts;
  private final int[] sampled;
  private final long[] minima;

  PixelColumns(ActiveBytes active, EventWindow window, int width) {
    this.window = window;
    this.width = Math.min(width, window.size());
    columnsPerEvent = window.size() == 0 ? 0 : (double) this.width / window.size();
    starts = new int[this.width + 1];
    for (int column = 0; column <= this.width && this.width > 0; column++) {
      starts[column] = window.from() + (int) ((long) column * window.size() / this.width);
    }
    sampled = new int[this.width];
    minima = new long[this.width];
    for (int column = 0; column < this.width; column++) {
      int from = starts[column];
      int to = starts[column + 1];
      sampled[column] = active.maxEvent(from, to);
      minima[column] = active.min(from, to);
    }
  }

  EventWindow window() {
    return window;
  }

  int width() {
    return width;
  }

  int sampled(int column) {
    return sampled[column];
  }

  long min(int column) {
    return minima[column];
  }

  /** The first column that is sampled at or after an event; {@link #width} if there is none. */
  int firstAtOrAfter(int event) {
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
  int columnOf(int event) {
    int column = Math.min(width - 1, (int) ((event - window.from()) * columnsPerEvent));
    while (column > 0 && starts[column] > event) {
      column--;
    }
    while (starts[column + 1] <= event) {
      column++;
    }
    return column;
  }
}
