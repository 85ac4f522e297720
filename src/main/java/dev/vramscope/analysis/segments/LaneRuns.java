package dev.vramscope.analysis.segments;

import dev.vramscope.analysis.segments.SegmentHistory.Held;
import dev.vramscope.analysis.segments.SegmentLanes.Part;
import java.util.Arrays;
import java.util.List;

/**
 * For each lane: reserved bytes, active bytes and the largest free gap at the sampled events, as
 * runs of columns in which none of them changes. One sweep over the columns:
 *
 * <pre>
 *   at each column   edges of held memory and blocks that change   ─▶ FreeGaps and sums of the lane
 *                    lanes that have changed                       ─▶ a new run
 * </pre>
 */
public final class LaneRuns {
  private final SegmentLanes lanes;
  private final LaneBlocks blocks;
  private final List<Held> held;
  private final int[] heldColumn0;
  private final int[] heldColumn1;
  private final LaneLeaves leaves;
  private final FreeGaps[] gaps;
  private final long[] reservedNow;
  private final long[] activeNow;
  private final boolean[] isChanged;
  private final int[] changed;
  private int changedCount;

  private int[] lane = new int[1024];
  private int[] column = new int[1024];
  private long[] reserved = new long[1024];
  private long[] active = new long[1024];
  private long[] largestFree = new long[1024];
  private int count;

  LaneRuns(
      SegmentLanes lanes,
      LaneBlocks blocks,
      List<Held> held,
      int[] heldColumn0,
      int[] heldColumn1,
      int width) {
    this.lanes = lanes;
    this.blocks = blocks;
    this.held = held;
    this.heldColumn0 = heldColumn0;
    this.heldColumn1 = heldColumn1;
    leaves = new LaneLeaves(lanes, blocks, held);
    int laneCount = lanes.lanes().size();
    gaps = new FreeGaps[laneCount];
    Arrays.setAll(gaps, at -> new FreeGaps(leaves.countIn(at)));
    reservedNow = new long[laneCount];
    activeNow = new long[laneCount];
    isChanged = new boolean[laneCount];
    changed = new int[laneCount];
    sweep(width);
  }

  private void sweep(int width) {
    int[] blocksByEnd = ByColumn.order(blocks.size(), blocks::column1, width);
    int[] heldByStart = ByColumn.order(held.size(), i -> heldColumn0[i], width);
    int[] heldByEnd = ByColumn.order(held.size(), i -> heldColumn1[i], width);
    int blockStart = 0;
    int blockEnd = 0;
    int heldStart = 0;
    int heldEnd = 0;
    for (int at = 0; at < width; at++) {
      for (; blockEnd < blocks.size() && blocks.column1(blocksByEnd[blockEnd]) == at; blockEnd++) {
        changeBlock(blocksByEnd[blockEnd], /* starts= */ false);
      }
      for (; heldEnd < held.size() && heldColumn1[heldByEnd[heldEnd]] == at; heldEnd++) {
        changeHeld(heldByEnd[heldEnd], -1);
      }
      for (; heldStart < held.size() && heldColumn0[heldByStart[heldStart]] == at; heldStart++) {
        changeHeld(heldByStart[heldStart], 1);
      }
      for (; blockStart < blocks.size() && blocks.column0(blockStart) == at; blockStart++) {
        changeBlock(blockStart, /* starts= */ true);
      }
      addRuns(at);
    }
  }

  private void changeBlock(int block, boolean starts) {
    int in = blocks.lane(block);
    int leaf = leaves.ofBlock(block);
    if (starts) {
      long from = leaves.position(blocks.part(block), blocks.offset(block));
      gaps[in].occupy(leaf, from, from + blocks.bytes(block));
      activeNow[in] += blocks.bytes(block);
    } else {
      gaps[in].vacate(leaf);
      activeNow[in] -= blocks.bytes(block);
    }
    mark(in);
  }

  private void changeHeld(int index, int by) {
    Held changing = held.get(index);
    int part = lanes.partAt(changing.address());
    int in = lanes.laneOf(part);
    reservedNow[in] += by * changing.bytes();
    Part at = lanes.parts().get(part);
    long from = leaves.position(part, at.offset() + changing.address() - at.address());
    leaves.changeStart(gaps[in], from, by, changing.expandable());
    leaves.changeEnd(gaps[in], from + changing.bytes(), by, changing.expandable());
    mark(in);
  }

  private void mark(int in) {
    if (!isChanged[in]) {
      isChanged[in] = true;
      changed[changedCount++] = in;
    }
  }

  private void addRuns(int at) {
    for (int i = 0; i < changedCount; i++) {
      if (count == lane.length) {
        lane = Arrays.copyOf(lane, count * 2);
        column = Arrays.copyOf(column, count * 2);
        reserved = Arrays.copyOf(reserved, count * 2);
        active = Arrays.copyOf(active, count * 2);
        largestFree = Arrays.copyOf(largestFree, count * 2);
      }
      int in = changed[i];
      isChanged[in] = false;
      lane[count] = in;
      column[count] = at;
      reserved[count] = reservedNow[in];
      active[count] = activeNow[in];
      largestFree[count++] = gaps[in].largest();
    }
    changedCount = 0;
  }

  public int count() {
    return count;
  }

  public int lane(int run) {
    return lane[run];
  }

  /** The first column of a run; it lasts until the next run of the lane. Ascending. */
  public int column(int run) {
    return column[run];
  }

  public long reserved(int run) {
    return reserved[run];
  }

  public long active(int run) {
    return active[run];
  }

  public long largestFree(int run) {
    return largestFree[run];
  }
}
