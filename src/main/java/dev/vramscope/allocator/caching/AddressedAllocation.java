package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.caching.configuration.Configuration;

/**
 * Allocates at an exact address: cuts a block out of the inactive block that covers it. What lies
 * before is handed out and freed again, as the original does, so that it shows in the history.
 */
final class AddressedAllocation {
  private static final String OPERATION = "mallocWithAddress";

  private final Blocks blocks;
  private final Pools pools;
  private final SizeRules sizes;
  private final BlockAssignment assignment;
  private final FreeSteps freeSteps;
  private final Configuration configuration;
  private final Listeners listeners;

  AddressedAllocation(
      Blocks blocks,
      Pools pools,
      SizeRules sizes,
      BlockAssignment assignment,
      FreeSteps freeSteps,
      Configuration configuration,
      Listeners listeners) {
    this.blocks = blocks;
    this.pools = pools;
    this.sizes = sizes;
    this.assignment = assignment;
    this.freeSteps = freeSteps;
    this.configuration = configuration;
    this.listeners = listeners;
  }

  static void requireAligned(long address) {
    if (address % SizeRules.MIN_BLOCK_BYTES != 0) {
      throw new IllegalArgumentException(
          "mallocWithAddress: addr must be aligned to kMinBlockSize ("
              + SizeRules.MIN_BLOCK_BYTES
              + " bytes), got 0x"
              + Long.toHexString(address));
    }
  }

  /**
   * Allocates the block at an address.
   *
   * @return the allocated block
   * @throws IllegalStateException if no inactive block covers the range
   */
  int allocate(long requestedBytes, int stream, long address) {
    long bytes = sizes.roundedBytes(requestedBytes);
    Pool pool = pools.poolFor(bytes, stream);
    int cover = coverOf(pool, stream, address, bytes);
    listeners.beginOperation(OPERATION);
    try {
      return cut(pool, cover, requestedBytes, bytes, address);
    } finally {
      listeners.endOperation();
    }
  }

  private int cut(Pool pool, int cover, long requestedBytes, long bytes, long address) {
    pool.remove(cover);
    long prefix = address - blocks.address(cover);
    int before = Blocks.NONE;
    if (prefix > 0) {
      before = assignment.assign(pool, cover, prefix, prefix, true);
      pool.remove(cover);
    }
    boolean split = assignment.shouldSplit(pool, cover, bytes, configuration.expandableSegments());
    int block = assignment.assign(pool, cover, bytes, requestedBytes, split);
    if (before != Blocks.NONE) {
      freeSteps.free(before);
    }
    return block;
  }

  private int coverOf(Pool pool, int stream, long address, long bytes) {
    SortedBlocks list = pool.free(stream).sorted();
    for (long place = list.first(); place != SortedBlocks.NOWHERE; place = list.next(place)) {
      int block = list.block(place);
      if (blocks.address(block) <= address && address + bytes <= blocks.endAddress(block)) {
        return block;
      }
    }
    throw new IllegalStateException(
        "Could not allocate CUDA storage at exact address 0x" + Long.toHexString(address));
  }
}
