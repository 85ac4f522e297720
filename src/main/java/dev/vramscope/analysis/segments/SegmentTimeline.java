package dev.vramscope.analysis.segments;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.LifetimeIndex;
import dev.vramscope.analysis.segments.SegmentHistory.Held;
import dev.vramscope.analysis.timeline.ActiveTimeline;
import dev.vramscope.analysis.timeline.PixelColumns;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/**
 * Segments over time as a picture: a lane per segment in address order, and in it, at their
 * addresses, the memory that is held and the blocks.
 *
 * <pre>
 *   address            ┌─────────────────┐
 *     ▲   lane 1       │▓▓▓▓▓│      │▓▓▓▓│     acquired, then released
 *     │                └─────────────────┘
 *     │          ┌───────────────────────────
 *     │   lane 0 │▓▓▓▓▓▓▓▓▓▓▓▓│░░░░░░░│▓▓▓▓▓    ░ strips: the sums of all that is too thin
 *     │          └───────────────────────────
 *     └─────────────────────────────────────▶ columns
 * </pre>
 *
 * A column covers a range of events and is sampled at the event with the most active bytes, as in
 * {@link ActiveTimeline}. In every column and lane the drawn blocks and the strips add up to the
 * active bytes of the lane at the sampled event. Only the events of segments, and the allocations
 * that are active at a sampled event, are looked at.
 */
public final class SegmentTimeline {
  /**
   * The maximum number of drawn blocks, and of held ranges; the minimum thickness depends on it.
   */
  public static final int MAX_RECTANGLES = 30_000;

  private static final double MIN_PIXELS = 1;

  /** Limits the memory of an answer: strips times columns. */
  private static final int MAX_CELLS = 1 << 20;

  private static final int MIN_STRIPS = 64;
  private static final int MAX_STRIPS = 512;

  private final PixelColumns columns;
  private final SegmentLanes lanes;
  private final LaneBlocks blocks;
  private final LaneRuns runs;
  private final List<Held> held;
  private final int[] heldColumn0;
  private final int[] heldColumn1;
  private final int unsampledHeldCount;
  private final int[] drawnBlocks;
  private final int[] drawnHeld;
  private final StripRuns thinBlocks;
  private final StripRuns thinHeld;
  private final SegmentMarkers markers;

  private SegmentTimeline(
      SegmentHistory history,
      LifetimeIndex index,
      SizeRules sizes,
      PixelColumns columns,
      int height) {
    this.columns = columns;
    int width = columns.width();
    held = new ArrayList<>();
    int[] starts = new int[history.held().size()];
    int[] ends = new int[starts.length];
    int unsampled = 0;
    for (Held each : history.held()) {
      int start = columns.firstAtOrAfter(each.from());
      int end = columns.firstAtOrAfter(each.to());
      if (start < end) {
        starts[held.size()] = start;
        ends[held.size()] = end;
        held.add(each);
      } else if (each.from() < columns.window().to() && each.to() > columns.window().from()) {
        unsampled++;
      }
    }
    heldColumn0 = Arrays.copyOf(starts, held.size());
    heldColumn1 = Arrays.copyOf(ends, held.size());
    unsampledHeldCount = unsampled;
    int maxStrips = Math.clamp(MAX_CELLS / (width + 1), MIN_STRIPS, MAX_STRIPS);
    lanes = new SegmentLanes(held, height, maxStrips);
    blocks = new LaneBlocks(index, sizes, columns, lanes);
    runs = new LaneRuns(lanes, blocks, held, heldColumn0, heldColumn1, width);
    thinBlocks = new StripRuns(lanes, width);
    drawnBlocks = drawBlocks();
    thinBlocks.sum();
    thinHeld = new StripRuns(lanes, width);
    drawnHeld = drawHeld();
    thinHeld.sum();
    markers = new SegmentMarkers(history, columns);
  }

  /**
   * Draws a window of a trace.
   *
   * @param window clipped to the events of the trace
   * @param width the number of pixel columns; reduced if the window has fewer events
   * @param height height of all lanes together, in pixels
   */
  public static SegmentTimeline of(
      SegmentHistory history,
      LifetimeIndex index,
      SizeRules sizes,
      ActiveBytes active,
      EventWindow window,
      int width,
      int height) {
    if (width < 1 || height < 1) {
      throw new IllegalArgumentException(
          "picture size must be positive: " + width + " x " + height);
    }
    EventWindow cut = window.within(active.eventCount());
    return new SegmentTimeline(history, index, sizes, new PixelColumns(active, cut, width), height);
  }

  private int[] drawBlocks() {
    long[] least = leastBytes(blocks.size(), blocks::lane, blocks::bytes);
    int[] drawn = new int[blocks.size()];
    int count = 0;
    for (int i = 0; i < blocks.size(); i++) {
      int lane = blocks.lane(i);
      if (blocks.bytes(i) >= least[lane]) {
        drawn[count++] = i;
      } else {
        thinBlocks.add(
            lane, blocks.offset(i), blocks.bytes(i), blocks.column0(i), blocks.column1(i));
      }
    }
    return Arrays.copyOf(drawn, count);
  }

  private int[] drawHeld() {
    long[] least = leastBytes(held.size(), i -> lane(held.get(i)), i -> held.get(i).bytes());
    int[] drawn = new int[held.size()];
    int count = 0;
    for (int i = 0; i < held.size(); i++) {
      Held each = held.get(i);
      int lane = lane(each);
      if (each.bytes() >= least[lane]) {
        drawn[count++] = i;
      } else {
        thinHeld.add(lane, offset(each), each.bytes(), heldColumn0[i], heldColumn1[i]);
      }
    }
    return Arrays.copyOf(drawn, count);
  }

  /** The least bytes of what is drawn in each lane: so many that not too much is drawn. */
  private long[] leastBytes(int count, IntUnaryOperator lane, IntToLongFunction bytes) {
    double pixels = MIN_PIXELS;
    long[] least = leastBytes(pixels);
    while (count > MAX_RECTANGLES && drawnCount(count, least, lane, bytes) > MAX_RECTANGLES) {
      pixels *= 1.5;
      least = leastBytes(pixels);
    }
    return least;
  }

  private long[] leastBytes(double pixels) {
    return lanes.lanes().stream()
        .mapToLong(lane -> (long) Math.ceil(pixels * lane.bytes() / lane.height()))
        .toArray();
  }

  private static int drawnCount(
      int count, long[] least, IntUnaryOperator lane, IntToLongFunction bytes) {
    int drawn = 0;
    for (int i = 0; i < count; i++) {
      drawn += bytes.applyAsLong(i) >= least[lane.applyAsInt(i)] ? 1 : 0;
    }
    return drawn;
  }

  private int lane(Held each) {
    return lanes.laneOf(lanes.partAt(each.address()));
  }

  private long offset(Held each) {
    SegmentLanes.Part part = lanes.parts().get(lanes.partAt(each.address()));
    return part.offset() + each.address() - part.address();
  }

  public EventWindow window() {
    return columns.window();
  }

  /** Number of pixel columns. */
  public int width() {
    return columns.width();
  }

  /** The sampled event of a column: the one with the most active bytes in its range. */
  public int event(int column) {
    return columns.sampled(column);
  }

  /** Held memory that is acquired and released between two sampled events, in no lane. */
  public int unsampledHeldCount() {
    return unsampledHeldCount;
  }

  public SegmentLanes lanes() {
    return lanes;
  }

  /** The allocations that are active at a sampled event, drawn or not. */
  public LaneBlocks blocks() {
    return blocks;
  }

  /** The sums of the lanes. */
  public LaneRuns runs() {
    return runs;
  }

  /** The blocks that are thick enough to draw, as numbers in {@link #blocks}. */
  public int[] drawnBlocks() {
    return drawnBlocks.clone();
  }

  /** The sums of the other blocks. */
  public StripRuns thinBlocks() {
    return thinBlocks;
  }

  /** What is held at a sampled event, in address order. */
  public List<Held> held() {
    return List.copyOf(held);
  }

  /** What is held and thick enough to draw, as numbers in {@link #held}. */
  public int[] drawnHeld() {
    return drawnHeld.clone();
  }

  /** The sums of all else that is held. */
  public StripRuns thinHeld() {
    return thinHeld;
  }

  /** The first column of what is held. */
  public int heldColumn0(int index) {
    return heldColumn0[index];
  }

  /** One past its last column. */
  public int heldColumn1(int index) {
    return heldColumn1[index];
  }

  /** The lane of what is held. */
  public int heldLane(int index) {
    return lane(held.get(index));
  }

  /** Its offset in the lane. */
  public long heldOffset(int index) {
    return offset(held.get(index));
  }

  /** The segment events of the columns. */
  public SegmentMarkers markers() {
    return markers;
  }
}
