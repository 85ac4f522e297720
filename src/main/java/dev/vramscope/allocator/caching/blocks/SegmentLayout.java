package dev.vramscope.allocator.caching.blocks;

/**
 * Splits and coalesces blocks: the only class that changes neighbours and address ranges.
 *
 * <p>When a block is split, the remainder keeps its slot and, as in PyTorch, its stale requested
 * size, which snapshots show for inactive blocks. When blocks coalesce, the slot of the absorbing
 * block remains.
 */
public final class SegmentLayout {
  private final Blocks blocks;
  private final Segments segments;

  public SegmentLayout(Blocks blocks, Segments segments) {
    this.blocks = blocks;
    this.segments = segments;
  }

  /**
   * Splits the first bytes off a block that is in no list.
   *
   * @return the new block in front; it is mapped if the old one is
   */
  public int splitFront(int block, long bytes) {
    int front = blocks.splitFront(block, bytes);
    if (blocks.previous(front) == Blocks.NONE) {
      segments.setFirstBlock(blocks.segment(front), front);
    }
    return front;
  }

  /**
   * Splits a block that is in no list after its first bytes.
   *
   * @return the new block after it
   */
  public int splitBack(int block, long bytes, int flags) {
    return blocks.splitBack(block, bytes, flags);
  }

  /** Whether a neighbour is inactive, and mapped if the block is mapped. */
  public boolean canCoalesce(int block, int neighbour) {
    return neighbour != Blocks.NONE
        && ((blocks.flags(block) ^ blocks.flags(neighbour)) & Blocks.MAPPED) == 0
        && !blocks.has(neighbour, Blocks.ACTIVE);
  }

  /** The block takes over the range of the one before it; both are in no list. */
  public void absorbPrevious(int block) {
    blocks.absorbPrevious(block);
    if (blocks.previous(block) == Blocks.NONE) {
      segments.setFirstBlock(blocks.segment(block), block);
    }
  }

  /** The block takes over the range of the one after it; both are in no list. */
  public void absorbNext(int block) {
    blocks.absorbNext(block);
  }
}
