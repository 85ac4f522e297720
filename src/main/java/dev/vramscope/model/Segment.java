package dev.vramscope.model;

import java.util.List;

/**
 * Contiguous device memory held by an allocator.
 *
 * @param address first byte, unsigned
 * @param bytes reserved size: that of the device allocation, or the mapped size if expandable
 * @param stream the stream whose requests it serves; 0 is the default stream
 * @param kind small or large
 * @param pool the pool it belongs to
 * @param expandable whether it grows by mapping pages
 * @param stack the stack that acquired it, an id in the snapshot's {@link StackTable}
 * @param blocks its blocks in address order, without gaps
 */
public record Segment(
    long address,
    long bytes,
    long stream,
    PoolKind kind,
    PoolId pool,
    boolean expandable,
    int stack,
    List<Block> blocks) {

  public Segment {
    blocks = List.copyOf(blocks);
  }

  /** One past the last byte. */
  public long end() {
    return address + bytes;
  }

  /** Whether an address is in this segment. */
  public boolean contains(long other) {
    return Long.compareUnsigned(other - address, bytes) < 0;
  }

  /** Allocated bytes: the sizes of allocated blocks. */
  public long allocatedBytes() {
    return sum(BlockState.ALLOCATED);
  }

  /** Bytes of blocks that are freed but still waiting for a stream. */
  public long pendingFreeBytes() {
    return sum(BlockState.PENDING_FREE);
  }

  /** Bytes of free blocks. */
  public long inactiveBytes() {
    return sum(BlockState.INACTIVE);
  }

  /** Whether some block is allocated or waits for a stream. */
  public boolean hasActiveBlock() {
    return blocks.stream().anyMatch(Block::isActive);
  }

  private long sum(BlockState state) {
    long bytes = 0;
    for (Block block : blocks) {
      if (block.state() == state) {
        bytes += block.bytes();
      }
    }
    return bytes;
  }
}
