package dev.vramscope.analysis.segments;

import dev.vramscope.analysis.lifetimes.KeyNumbers;
import dev.vramscope.analysis.segments.SegmentHistory.Held;
import dev.vramscope.analysis.segments.SegmentLanes.Part;
import java.util.Arrays;
import java.util.List;

/**
 * The leaves of each lane's {@link FreeGaps}: the edges of held memory and the blocks, in order of
 * position. Positions count the bytes of all parts, plus one byte between two parts, so that the
 * edges of adjacent parts differ.
 *
 * <p>An edge occupies a position while memory is held on one side of it only, or on both sides by
 * segments that are not expandable: a free block does not cross it.
 */
final class LaneLeaves {
  private final long[] bases;
  private final long[] edges;
  private final int[] heldBefore;
  private final int[] heldAfter;
  private final int[] fixed;
  private final int[] edgeLeaf;
  private final int[] blockLeaf;
  private final int[] counts;

  LaneLeaves(SegmentLanes lanes, LaneBlocks blocks, List<Held> held) {
    bases = bases(lanes);
    edges = edges(lanes, held);
    heldBefore = new int[edges.length];
    heldAfter = new int[edges.length];
    fixed = new int[edges.length];
    edgeLeaf = new int[edges.length];
    blockLeaf = new int[blocks.size()];
    counts = new int[lanes.lanes().size()];
    KeyNumbers table = new KeyNumbers(blocks.size());
    long[] positions = Arrays.copyOf(edges, edges.length + blocks.size());
    for (int block = 0; block < blocks.size(); block++) {
      long position = position(blocks.part(block), blocks.offset(block));
      int number = table.number(position);
      positions[edges.length + number] = position;
      blockLeaf[block] = number;
    }
    int[] leafOf = number(sorted(Arrays.copyOf(positions, edges.length + table.count())), lanes);
    for (int block = 0; block < blocks.size(); block++) {
      blockLeaf[block] = leafOf[blockLeaf[block]];
    }
  }

  private static long[] bases(SegmentLanes lanes) {
    long[] bases = new long[lanes.parts().size()];
    long bytes = 0;
    for (int i = 0; i < bases.length; i++) {
      Part part = lanes.parts().get(i);
      // Positions are found from offsets in lanes.
      bases[i] = bytes + i - part.offset();
      bytes += part.bytes();
    }
    return bases;
  }

  private long[] edges(SegmentLanes lanes, List<Held> held) {
    long[] all = new long[held.size() * 2];
    for (int i = 0; i < held.size(); i++) {
      int part = lanes.partAt(held.get(i).address());
      Part in = lanes.parts().get(part);
      long offset = in.offset() + held.get(i).address() - in.address();
      all[2 * i] = position(part, offset);
      all[2 * i + 1] = position(part, offset) + held.get(i).bytes();
    }
    return Arrays.stream(all).sorted().distinct().toArray();
  }

  /**
   * Numbers the leaves of each lane; at the same position, an edge is before a block. Blocks at the
   * same position share a leaf, since only one of them is active at a time: the trees of a training
   * run, which reuses its addresses, stay small.
   *
   * @param order the edges, then the positions of blocks, in order of position
   * @return the leaf of each position of a block
   */
  private int[] number(int[] order, SegmentLanes lanes) {
    int[] leafOf = new int[order.length - edges.length];
    int lane = 0;
    int leaf = 0;
    for (int entry : order) {
      if (entry < edges.length) {
        while (edges[entry] > lastPosition(lanes, lane)) {
          lane++;
          leaf = 0;
        }
        edgeLeaf[entry] = leaf++;
      } else {
        // The first edge of a lane is at its start, so the lane is that of the edges before.
        leafOf[entry - edges.length] = leaf++;
      }
      counts[lane] = leaf;
    }
    return leafOf;
  }

  private long lastPosition(SegmentLanes lanes, int lane) {
    int part = lanes.lanes().get(lane).partLimit() - 1;
    Part last = lanes.parts().get(part);
    return position(part, last.offset() + last.bytes());
  }

  /** Indices in order of position, then of index. */
  private static int[] sorted(long[] positions) {
    long highest = Arrays.stream(positions).max().orElse(0);
    int indexBits = Long.SIZE - Long.numberOfLeadingZeros(positions.length);
    if (Long.numberOfLeadingZeros(highest) <= indexBits) {
      Integer[] boxed = new Integer[positions.length];
      Arrays.setAll(boxed, i -> i);
      Arrays.sort(boxed, (a, b) -> Long.compare(positions[a], positions[b]));
      return Arrays.stream(boxed).mapToInt(Integer::intValue).toArray();
    }
    long[] keys = new long[positions.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = positions[i] << indexBits | i;
    }
    Arrays.sort(keys);
    int[] order = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      order[i] = (int) (keys[i] & ((1L << indexBits) - 1));
    }
    return order;
  }

  /** The position of an offset in the lane of a part. */
  long position(int part, long offset) {
    return bases[part] + offset;
  }

  int countIn(int lane) {
    return counts[lane];
  }

  int ofBlock(int block) {
    return blockLeaf[block];
  }

  /**
   * Held memory that starts at a position comes ({@code by} 1) or goes (-1).
   *
   * @param gaps those of the lane
   */
  void changeStart(FreeGaps gaps, long position, int by, boolean expandable) {
    int edge = Arrays.binarySearch(edges, position);
    heldAfter[edge] += by;
    changeEdge(gaps, edge, by, expandable);
  }

  /** The same of held memory that ends at a position. */
  void changeEnd(FreeGaps gaps, long position, int by, boolean expandable) {
    int edge = Arrays.binarySearch(edges, position);
    heldBefore[edge] += by;
    changeEdge(gaps, edge, by, expandable);
  }

  private void changeEdge(FreeGaps gaps, int edge, int by, boolean expandable) {
    long position = edges[edge];
    fixed[edge] += expandable ? 0 : by;
    boolean before = heldBefore[edge] > 0;
    boolean after = heldAfter[edge] > 0;
    if (before == after && (!before || fixed[edge] == 0)) {
      gaps.vacate(edgeLeaf[edge]);
    } else {
      gaps.occupy(
          edgeLeaf[edge],
          before ? position : FreeGaps.NO_GAP_BEFORE,
          after ? position : FreeGaps.NO_GAP_AFTER);
    }
  }
}
