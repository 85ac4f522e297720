package dev.vramscope.allocator.caching.blocks;

import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the block that covers an address.
 *
 * <p>A segment can have a million blocks, which link only to their neighbours. A search therefore
 * records marks along its path, so that later ones start nearby: the first search in a segment of a
 * million blocks takes milliseconds, later ones pass {@link #STRIDE} blocks. Marks are hints and
 * are not updated when blocks change. A marked block that still exists in its segment is a valid
 * start, whatever its address is now; other marks are removed.
 */
public final class BlockFinder {
  /** Blocks from one mark to the next. */
  static final int STRIDE = 64;

  private final Blocks blocks;
  private final Segments segments;

  /** Blocks by the address they had when they were marked. */
  private final TreeMap<Long, Integer> marks = new TreeMap<>();

  private long steps;

  public BlockFinder(Blocks blocks, Segments segments) {
    this.blocks = blocks;
    this.segments = segments;
  }

  /** The block that covers an address, mapped or not, or {@link Blocks#NONE}. */
  public int find(long address) {
    HeldSegment segment = segments.atOrBefore(address);
    if (segment == null) {
      return Blocks.NONE;
    }
    int block = nearest(segment, address);
    int walked = 0;
    while (block != Blocks.NONE && !covers(block, address)) {
      block = blocks.address(block) > address ? blocks.previous(block) : blocks.next(block);
      if (++walked % STRIDE == 0 && block != Blocks.NONE) {
        mark(block);
      }
    }
    steps += walked;
    return block;
  }

  /** The number of blocks that all searches passed. */
  long steps() {
    return steps;
  }

  private boolean covers(int block, long address) {
    return blocks.address(block) <= address && address < blocks.endAddress(block);
  }

  private int nearest(HeldSegment segment, long address) {
    Map.Entry<Long, Integer> mark = marks.floorEntry(address);
    while (mark != null && mark.getKey() >= segment.address()) {
      if (isIn(segment, mark.getValue())) {
        return mark.getValue();
      }
      marks.remove(mark.getKey());
      mark = marks.floorEntry(address);
    }
    return segments.firstBlock(segment.number());
  }

  /** A free slot has no flags; a reused slot may be in another segment. */
  private boolean isIn(HeldSegment segment, int block) {
    return blocks.flags(block) != 0 && blocks.segment(block) == segment.number();
  }

  private void mark(int block) {
    // Marks in released segments are never read; they are removed when there are too many marks.
    if (marks.size() > 16 + 2 * blocks.liveCount() / STRIDE) {
      marks.clear();
    }
    marks.put(blocks.address(block), block);
  }
}
