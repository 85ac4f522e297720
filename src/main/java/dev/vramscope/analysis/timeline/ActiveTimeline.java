package dev.vramscope.analysis.timeline;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.EventTimes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;

/**
 * Active memory over time as a picture: pixel columns, and the rectangles of the allocations that
 * are thick enough to draw, stacked by age with the oldest at the bottom.
 *
 * <pre>
 *   bytes                  ┌─────┐ rest: the sum of all that are too thin
 *     ▲        ┌───┐       │     │
 *     │    ┌───┘ B └───┬───┘  B  │   B moves down where something below it was freed:
 *     │    │     A     │         │   two rectangles
 *     └────┴───────────┴─────────┴──▶ columns
 * </pre>
 *
 * A column covers a range of events and is sampled at the event with the most active bytes, so no
 * peak is missed. In every column the heights of the rectangles and the rest add up to the active
 * bytes at the sampled event.
 *
 * <p>An older allocation is never above a younger one, so from column to column a rectangle can
 * only move down. One sweep over the columns keeps the stack of drawn allocations; a drawn
 * allocation is at least half a pixel thick, so the stack has at most two entries per pixel of
 * height.
 */
public final class ActiveTimeline {
  /** The maximum number of rectangles. If there are more, the minimum thickness is raised. */
  public static final int MAX_RECTANGLES = 60_000;

  /** Bisection steps that then lower the minimum thickness, to draw as many as possible. */
  private static final int REFINEMENTS = 3;

  private final ActiveBytes active;
  private final PixelColumns columns;
  private final TimelineCandidates candidates;
  private final TimelineRectangles rectangles;
  private final long[] rest;
  private final long[] liveBefore;
  private final int drawnCount;
  private final long leastBytes;
  private final long windowPeakBytes;

  private ActiveTimeline(
      ActiveBytes active,
      PixelColumns columns,
      TimelineCandidates candidates,
      TimelineRectangles rectangles,
      long leastBytes,
      long windowPeakBytes) {
    this.active = active;
    this.columns = columns;
    this.candidates = candidates;
    this.rectangles = rectangles;
    this.windowPeakBytes = windowPeakBytes;
    rest = candidates.restBelow(leastBytes);
    liveBefore = candidates.liveBefore();
    drawnCount = candidates.countFrom(leastBytes);
    this.leastBytes = leastBytes;
  }

  /**
   * Draws a window of a trace.
   *
   * @param window clipped to the events of the trace
   * @param width the number of pixel columns; reduced if the window has fewer events
   * @param height height of the drawing area in pixels; allocations thinner than half a pixel are
   *     summed in {@link #rest(int)}
   */
  public static ActiveTimeline of(
      Lifetimes lifetimes, ActiveBytes active, EventWindow window, int width, int height) {
    if (width < 1 || height < 1) {
      throw new IllegalArgumentException(
          "picture size must be positive: " + width + " x " + height);
    }
    EventWindow cut = window.within(active.eventCount());
    return of(lifetimes, active, new PixelColumns(active, cut, width), height);
  }

  /**
   * Draws a window with columns of equal time. A column begins with the state that the events
   * before it have left, so one without events shows that state.
   *
   * @param times ascending
   */
  public static ActiveTimeline byTime(
      Lifetimes lifetimes,
      ActiveBytes active,
      EventTimes times,
      EventWindow window,
      int width,
      int height) {
    if (width < 1 || height < 1) {
      throw new IllegalArgumentException(
          "picture size must be positive: " + width + " x " + height);
    }
    EventWindow cut = window.within(active.eventCount());
    return of(lifetimes, active, new PixelColumns(active, cut, times, width), height);
  }

  private static ActiveTimeline of(
      Lifetimes lifetimes, ActiveBytes active, PixelColumns columns, int height) {
    EventWindow cut = columns.window();
    long peak = cut.size() == 0 ? 0 : active.max(cut.from(), cut.to());
    long leastBytes = Math.max(1, peak / (2L * height));
    TimelineCandidates candidates = new TimelineCandidates(lifetimes, columns, leastBytes);
    long tooThin = leastBytes;
    TimelineRectangles rectangles = sweep(candidates, columns, leastBytes);
    while (rectangles.count() > MAX_RECTANGLES) {
      tooThin = leastBytes;
      leastBytes *= 2;
      rectangles = sweep(candidates, columns, leastBytes);
    }
    for (int halving = 0; halving < REFINEMENTS && leastBytes - tooThin > 1; halving++) {
      long middle = tooThin + (leastBytes - tooThin) / 2;
      TimelineRectangles finer = sweep(candidates, columns, middle);
      if (finer.count() <= MAX_RECTANGLES) {
        leastBytes = middle;
        rectangles = finer;
      } else {
        tooThin = middle;
      }
    }
    return new ActiveTimeline(active, columns, candidates, rectangles, leastBytes, peak);
  }

  private static TimelineRectangles sweep(
      TimelineCandidates candidates, PixelColumns columns, long leastBytes) {
    return TimelineRectangles.of(candidates, columns.width(), leastBytes, MAX_RECTANGLES);
  }

  public EventWindow window() {
    return columns.window();
  }

  /** Number of pixel columns. */
  public int width() {
    return columns.width();
  }

  /** The most active bytes in the window, 0 for an empty one. */
  public long windowPeakBytes() {
    return windowPeakBytes;
  }

  /** Number of allocations that are active at, or freed by, some event of the window. */
  public int allocationCount() {
    return candidates.count();
  }

  /** How many of them have rectangles. */
  public int drawnCount() {
    return drawnCount;
  }

  /**
   * How many of them are in {@link #rest(int)}. The others are active only between sampled events.
   */
  public int summarizedCount() {
    return candidates.visibleCount() - drawnCount;
  }

  /** Allocations with less bytes have no rectangles. */
  public long leastBytes() {
    return leastBytes;
  }

  /** Whether columns are of equal time. */
  public boolean isByTime() {
    return columns.isByTime();
  }

  /**
   * The first event of a column or, if it has none, of the next one that has; {@code
   * start(width())} is the end of the window.
   */
  public int start(int column) {
    return columns.start(column);
  }

  /** When the first of the columns of equal time begins, in microseconds since 1970. */
  public long fromMicros() {
    return columns.fromMicros();
  }

  /** When the last of the columns of equal time ends, in microseconds since 1970. */
  public long toMicros() {
    return columns.toMicros();
  }

  /** The sampled event of a column: the one with the most active bytes in its range. */
  public int event(int column) {
    return columns.sampled(column);
  }

  /** The most active bytes in the column's range: those at the sampled event. */
  public long activeMax(int column) {
    return active.at(columns.sampled(column));
  }

  /** The minimum active bytes in the column's range. */
  public long activeMin(int column) {
    return columns.min(column);
  }

  /** Reserved bytes at the sampled event, or {@link ActiveBytes#UNKNOWN}. */
  public long reserved(int column) {
    return active.reservedAt(columns.sampled(column));
  }

  /** Bytes of the allocations without a rectangle, at the sampled event. */
  public long rest(int column) {
    return rest[column];
  }

  /**
   * Bytes, at the sampled event, of the allocations from before the first event of the trace. They
   * are at the bottom of the picture.
   */
  public long liveBefore(int column) {
    return liveBefore[column];
  }

  public int rectangleCount() {
    return rectangles.count();
  }

  /** First pixel column of a rectangle. */
  public int column0(int rectangle) {
    return rectangles.column0(rectangle);
  }

  /** One past the last pixel column of a rectangle. */
  public int column1(int rectangle) {
    return rectangles.column1(rectangle);
  }

  /** Bytes below a rectangle. */
  public long bottom(int rectangle) {
    return rectangles.bottom(rectangle);
  }

  /** Bytes (height) of a rectangle. */
  public long bytes(int rectangle) {
    return candidates.bytes(rectangles.candidate(rectangle));
  }

  /** The row in {@link Lifetimes} of a rectangle. */
  public int allocation(int rectangle) {
    return candidates.row(rectangles.candidate(rectangle));
  }
}
