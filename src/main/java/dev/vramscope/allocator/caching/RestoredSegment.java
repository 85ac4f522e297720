package dev.vramscope.allocator.caching;

import dev.vramscope.model.Block;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import java.util.List;

/**
 * A segment that an allocator continues from; see {@link CachingAllocator#restore}.
 *
 * @param address its first byte or, if it is expandable, that of its reservation
 * @param stream the number of its stream
 * @param kind small or large
 * @param pool the pool that it belongs to
 * @param expandable whether it grows by mapping pages
 * @param blocks in address order. They cover a plain segment without gaps; in an expandable one
 *     every gap is unmapped, and every run of adjacent blocks is a number of whole pages
 */
public record RestoredSegment(
    long address, int stream, PoolKind kind, PoolId pool, boolean expandable, List<Block> blocks) {
  public RestoredSegment {
    blocks = List.copyOf(blocks);
    long end = address;
    for (Block block : blocks) {
      if (block.bytes() <= 0
          || (expandable
              ? Long.compareUnsigned(block.address(), end) < 0
              : block.address() != end)) {
        throw new IllegalArgumentException(
            "The block at 0x"
                + Long.toHexString(block.address())
                + " does not follow the one that ends at 0x"
                + Long.toHexString(end)
                + ".");
      }
      end = block.end();
    }
    if (blocks.isEmpty()) {
      throw new IllegalArgumentException(
          "The segment at 0x" + Long.toHexString(address) + " has no blocks.");
    }
  }

  /** One past the last byte of its last block. */
  public long end() {
    return blocks.getLast().end();
  }

  /** Bytes that are held from the device. */
  public long bytes() {
    return blocks.stream().mapToLong(Block::bytes).sum();
  }

  /** Whether the block at this index directly follows the one before it. */
  boolean continuesRun(int index) {
    return index > 0 && blocks.get(index - 1).isContiguousBefore(blocks.get(index));
  }
}
