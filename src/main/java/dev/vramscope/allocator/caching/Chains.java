package dev.vramscope.allocator.caching;

/**
 * Splits and coalesces blocks: the only writer of neighbours and ranges.
 *
 * <p>When a block is split, the remainder keeps its slot (and with it the stale requested size that
 * snapshots show for inactive blocks, as the original does). When blocks are joined, the slot that
 * absorbs stays.
 */
final class Chains {
  private final Blocks blocks;
  private final Segments segments;

  Chains(Blocks blocks, Segments segments) {
    this.blocks = blocks;
    this.segments = segments;
  }

  /**
   * Cuts the first bytes off a block that stands in no list.
   *
   * @return the new block in front; it is mapped as the old one is
   */
  int splitFront(int block, long bytes) {
    int front = blocks.createLike(block, blocks.address(block), bytes, blocks.flags(block));
    blocks.linkBefore(front, block);
    blocks.setRange(block, blocks.address(block) + bytes, blocks.bytes(block) - bytes);
    if (blocks.previous(front) == Blocks.NONE) {
      segments.setFirstBlock(blocks.segment(front), front);
    }
    return front;
  }

  /**
   * Cuts a block after its first bytes.
   *
   * @return the new block behind it
   */
  int splitBack(int block, long bytes, int flags) {
    int back =
        blocks.createLike(block, blocks.address(block) + bytes, blocks.bytes(block) - bytes, flags);
    blocks.linkAfter(back, block);
    blocks.setRange(block, blocks.address(block), bytes);
    return back;
  }

  /** Whether a neighbour is inactive and mapped like the block: whether they can be one. */
  boolean canJoin(int block, int neighbour) {
    return neighbour != Blocks.NONE
        && ((blocks.flags(block) ^ blocks.flags(neighbour)) & Blocks.MAPPED) == 0
        && !blocks.has(neighbour, Blocks.ACTIVE);
  }

  /** The block takes over the range of a neighbour that stands in no list any more. */
  void join(int block, int neighbour) {
    long bytes = blocks.bytes(block) + blocks.bytes(neighbour);
    if (blocks.previous(block) == neighbour) {
      blocks.setRange(block, blocks.address(neighbour), bytes);
    } else {
      blocks.setRange(block, blocks.address(block), bytes);
    }
    blocks.unlink(neighbour);
    if (blocks.previous(block) == Blocks.NONE) {
      segments.setFirstBlock(blocks.segment(block), block);
    }
    blocks.remove(neighbour);
  }
}
