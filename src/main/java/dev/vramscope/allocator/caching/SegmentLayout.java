package dev.vramscope.allocator.caching;

/**
 * Splits and coalesces blocks: the only writer of neighbours and ranges.
 *
 * <p>When a block is split, the remainder keeps its slot (and with it the stale requested size that
 * snapshots show for inactive blocks, as the original does). When blocks are joined, the slot that
 * absorbs stays.
 */
final class SegmentLayout {
  private final Blocks blocks;
  private final Segments segments;

  SegmentLayout(Blocks blocks, Segments segments) {
    this.blocks = blocks;
    this.segments = segments;
  }

  /**
   * Cuts the first bytes off a block that stands in no list.
   *
   * @return the new block in front; it is mapped as the old one is
   */
  int splitFront(int block, long bytes) {
    int front = blocks.splitFront(block, bytes);
    if (blocks.previous(front) == Blocks.NONE) {
      segments.setFirstBlock(blocks.segment(front), front);
    }
    return front;
  }

  /**
   * Cuts a block that stands in no list after its first bytes.
   *
   * @return the new block behind it
   */
  int splitBack(int block, long bytes, int flags) {
    return blocks.splitBack(block, bytes, flags);
  }

  /** Whether a neighbour is inactive and mapped like the block: whether they can be one. */
  boolean canJoin(int block, int neighbour) {
    return neighbour != Blocks.NONE
        && ((blocks.flags(block) ^ blocks.flags(neighbour)) & Blocks.MAPPED) == 0
        && !blocks.has(neighbour, Blocks.ACTIVE);
  }

  /** The block takes over the range of the one before it; both stand in no list. */
  void joinPrevious(int block) {
    blocks.absorbPrevious(block);
    if (blocks.previous(block) == Blocks.NONE) {
      segments.setFirstBlock(blocks.segment(block), block);
    }
  }

  /** The block takes over the range of the one behind it; both stand in no list. */
  void joinNext(int block) {
    blocks.absorbNext(block);
  }
}
