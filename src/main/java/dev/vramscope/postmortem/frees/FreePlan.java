package dev.vramscope.postmortem.frees;

import dev.vramscope.model.Block;
import dev.vramscope.model.Segment;
import java.util.Comparator;
import java.util.List;

/** Live blocks whose frees would let a failed request succeed. */
public sealed interface FreePlan {
  /** Fewer freed bytes first, then a hole before a release, fewer blocks, and lower addresses. */
  static Comparator<FreePlan> cheapestFirst() {
    return Comparator.comparingLong(FreePlan::freedBytes)
        .thenComparing(plan -> plan instanceof Release)
        .thenComparingInt(FreePlan::blockCount)
        .thenComparing(plan -> plan.pieces().getFirst().address(), Long::compareUnsigned);
  }

  /** The ranges that the frees would empty, in address order, each with its live blocks. */
  List<Piece> pieces();

  /** Whether no smaller sum of frees has the same effect. */
  boolean isLeast();

  /** The bytes of all blocks to free. */
  default long freedBytes() {
    return pieces().stream().mapToLong(Piece::freedBytes).sum();
  }

  /** The number of blocks to free. */
  default int blockCount() {
    return pieces().stream().mapToInt(piece -> piece.blocks().size()).sum();
  }

  /**
   * A range of a segment without free or live blocks that extend beyond it, except that a live
   * block may extend beyond a page.
   *
   * @param address first byte of the range, unsigned
   * @param bytes size of the range: free bytes after the frees
   * @param blocks the live blocks that overlap it, in address order
   */
  record Piece(Segment segment, long address, long bytes, List<Block> blocks) {
    public Piece {
      blocks = List.copyOf(blocks);
    }

    /** The bytes of the blocks to free. */
    public long freedBytes() {
      return blocks.stream().mapToLong(Block::bytes).sum();
    }
  }

  /** The free blocks around the freed ones become one free block, which serves the request. */
  record Hole(Piece piece) implements FreePlan {
    @Override
    public List<Piece> pieces() {
      return List.of(piece);
    }

    @Override
    public boolean isLeast() {
      return true;
    }
  }

  /**
   * Whole segments, and whole pages of expandable ones, become free; the allocator releases them to
   * the device, which then has enough memory for the request.
   *
   * @param isLeast whether the search was exhaustive; it is not for very many segments, nor for
   *     expandable ones, which may need fewer pages than are counted
   */
  record Release(List<Piece> pieces, boolean isLeast) implements FreePlan {
    public Release {
      pieces = List.copyOf(pieces);
    }

    /** The bytes that the allocator releases. */
    public long releasedBytes() {
      return pieces.stream().mapToLong(Piece::bytes).sum();
    }
  }
}
