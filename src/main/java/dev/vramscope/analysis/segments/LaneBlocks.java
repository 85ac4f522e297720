package dev.vramscope.analysis.segments;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.LifetimeIndex;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.timeline.PixelColumns;
import dev.vramscope.model.SizeRules;
import java.util.Arrays;

/**
 * The allocations that are active at a sampled event, with their places in the lanes and the
 * columns [column0, column1) that they span; in order of column0.
 *
 * <p>A block is as large as in the final state, or else as large as the size rules round its
 * request: the lower bound. It ends at the end of its part at the latest.
 */
public final class LaneBlocks {
  private static final int LEAST_CAPACITY = 1024;

  /** In training, one of two or three allocations of a long trace is active at a sampled event. */
  private static final int USUALLY_SAMPLED = 2;

  private final PixelColumns columns;
  private final SegmentLanes lanes;
  private final SizeRules sizes;
  private final Lifetimes lifetimes;
  private int[] rows;
  private int[] column0;
  private int[] column1;
  private int[] parts;
  private long[] offsets;
  private long[] bytes;
  private int size;
  private int outsideCount;
  private final long[] outside;

  LaneBlocks(LifetimeIndex index, SizeRules sizes, PixelColumns columns, SegmentLanes lanes) {
    this.columns = columns;
    this.lanes = lanes;
    this.sizes = sizes;
    lifetimes = index.lifetimes();
    outside = new long[columns.width() + 1];
    int capacity = Math.max(LEAST_CAPACITY, allocationsIn(columns.window()) / USUALLY_SAMPLED);
    rows = new int[capacity];
    column0 = new int[capacity];
    column1 = new int[capacity];
    parts = new int[capacity];
    offsets = new long[capacity];
    bytes = new long[capacity];
    int first = 0;
    for (int column = 0; column < columns.width(); column++) {
      int at = column;
      int sampled = columns.sampled(column);
      int limit = lifetimes.firstAllocatedFrom(sampled + 1);
      index.endingAfter(first, limit, sampled, row -> add(row, at));
      first = limit;
    }
    for (int column = 1; column < outside.length; column++) {
      outside[column] += outside[column - 1];
    }
  }

  private int allocationsIn(EventWindow window) {
    return lifetimes.firstAllocatedFrom(window.to()) - lifetimes.firstAllocatedFrom(window.from());
  }

  private void add(int row, int column) {
    long address = lifetimes.address(row);
    long rowBytes = Math.max(1, lifetimes.allocatedBytes(row, sizes));
    int end = columns.firstAtOrAfter(lifetimes.endEvent(row));
    int part = lanes.partAt(address);
    if (part < 0) {
      outsideCount++;
      outside[column] += rowBytes;
      outside[end] -= rowBytes;
      return;
    }
    if (size == rows.length) {
      grow();
    }
    SegmentLanes.Part in = lanes.parts().get(part);
    rows[size] = row;
    column0[size] = column;
    column1[size] = end;
    parts[size] = part;
    offsets[size] = in.offset() + address - in.address();
    bytes[size++] = Math.min(rowBytes, in.end() - address);
  }

  private void grow() {
    rows = Arrays.copyOf(rows, size * 2);
    column0 = Arrays.copyOf(column0, size * 2);
    column1 = Arrays.copyOf(column1, size * 2);
    parts = Arrays.copyOf(parts, size * 2);
    offsets = Arrays.copyOf(offsets, size * 2);
    bytes = Arrays.copyOf(bytes, size * 2);
  }

  public int size() {
    return size;
  }

  /** The row in {@link Lifetimes}. */
  public int row(int block) {
    return rows[block];
  }

  public int column0(int block) {
    return column0[block];
  }

  public int column1(int block) {
    return column1[block];
  }

  /** The first column in which the block waits for a stream; {@link #column1} if there is none. */
  public int pendingColumn(int block) {
    int requested = lifetimes.freeRequestedEvent(rows[block]);
    return requested == Lifetimes.NEVER
        ? column1[block]
        : Math.clamp(columns.firstAtOrAfter(requested), column0[block], column1[block]);
  }

  public int part(int block) {
    return parts[block];
  }

  public int lane(int block) {
    return lanes.laneOf(parts[block]);
  }

  /** Offset in the lane. */
  public long offset(int block) {
    return offsets[block];
  }

  public long bytes(int block) {
    return bytes[block];
  }

  /** Number of allocations in no part. */
  public int outsideCount() {
    return outsideCount;
  }

  /** Their bytes at the sampled event of a column. */
  public long outside(int column) {
    return outside[column];
  }
}
