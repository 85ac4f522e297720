package dev.vramscope.analysis;

/**
 * Active memory over time as a picture: pixel columns, and the rectangles of the allocations that
 * are thick enough to draw, stacked by birth.
 */
public final class ActiveTimeline {
  private ActiveTimeline() {}

  /**
   * Draws a window of a trace.
   *
   * @param width pixel columns wanted; fewer when the window has fewer events
   * @param height pixels of the drawing area; thinner rectangles than half of one are summarized
   */
  public static ActiveTimeline of(
      Lifetimes lifetimes, ActiveBytes active, EventWindow window, int width, int height) {
    return Unbuilt.value();
  }

  public EventWindow window() {
    return Unbuilt.value();
  }

  /** Number of pixel columns. */
  public int width() {
    return Unbuilt.value();
  }

  public long windowPeakBytes() {
    return Unbuilt.value();
  }

  /** Allocations active at a sampled event of the window. */
  public int allocationCount() {
    return Unbuilt.value();
  }

  /** Of those, how many have a rectangle. */
  public int drawnCount() {
    return Unbuilt.value();
  }

  /** The sampled event of a column: that of its range with the most active bytes. */
  public int event(int column) {
    return Unbuilt.value();
  }

  public long activeMax(int column) {
    return Unbuilt.value();
  }

  public long activeMin(int column) {
    return Unbuilt.value();
  }

  /** Reserved bytes at the sampled event, or {@link ActiveBytes#UNKNOWN}. */
  public long reserved(int column) {
    return Unbuilt.value();
  }

  /** Bytes at the sampled event of allocations without a rectangle there. */
  public long rest(int column) {
    return Unbuilt.value();
  }

  public int rectangleCount() {
    return Unbuilt.value();
  }

  /** First pixel column of a rectangle. */
  public int column0(int rectangle) {
    return Unbuilt.value();
  }

  /** One past the last pixel column of a rectangle. */
  public int column1(int rectangle) {
    return Unbuilt.value();
  }

  /** Bytes below a rectangle. */
  public long bottom(int rectangle) {
    return Unbuilt.value();
  }

  /** Bytes (height) of a rectangle. */
  public long bytes(int rectangle) {
    return Unbuilt.value();
  }

  /** The row in {@link Lifetimes} of a rectangle. */
  public int allocation(int rectangle) {
    return Unbuilt.value();
  }
}
