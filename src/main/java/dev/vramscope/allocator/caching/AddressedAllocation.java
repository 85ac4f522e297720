package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.caching.blocks.BlockFinder;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.model.SizeRules;

/**
 * Allocates at an exact address: splits a block out of the inactive block that covers it. As in
 * PyTorch, the range before it is allocated and freed again, which the history shows.
 */
final class AddressedAllocation {
  private static final String OPERATION = "mallocWithAddress";

  private final Blocks blocks;
  private final BlockFinder finder;
  private final Pools pools;
  private final BlockAssignment assignment;
  private final FreeSteps freeSteps;
  private final Configuration configuration;
  private final Listeners listeners;

  AddressedAllocation(
      CachingState state, BlockFinder finder, BlockAssignment assignment, FreeSteps freeSteps) {
    this.finder = finder;
    this.blocks = state.blocks;
    this.pools = state.pools;
    this.assignment = assignment;
    this.freeSteps = freeSteps;
    this.configuration = state.configuration;
    this.listeners = state.listeners;
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
    long bytes = configuration.sizes().roundedBytes(requestedBytes);
    Pool pool = pools.poolFor(bytes, stream);
    int cover = coveringBlock(pool, stream, address, bytes);
    listeners.beginOperation(OPERATION);
    try {
      return splitAndAssign(pool, cover, requestedBytes, bytes, address);
    } finally {
      listeners.endOperation();
    }
  }

  private int splitAndAssign(Pool pool, int cover, long requestedBytes, long bytes, long address) {
    pool.remove(cover);
    long prefix = address - blocks.address(cover);
    int before = Blocks.NONE;
    if (prefix > 0) {
      before = assignment.assign(pool, cover, prefix, prefix, /* split= */ true);
      pool.remove(cover);
    }
    boolean split = assignment.shouldSplit(pool, cover, bytes, configuration.expandableSegments());
    int block = assignment.assign(pool, cover, bytes, requestedBytes, split);
    if (before != Blocks.NONE) {
      freeSteps.free(before);
    }
    return block;
  }

  private int coveringBlock(Pool pool, int stream, long address, long bytes) {
    int block = finder.find(address);
    if (block != Blocks.NONE
        && isInactive(block)
        && blocks.pool(block) == pool.number()
        && blocks.stream(block) == stream
        && address + bytes <= blocks.endAddress(block)) {
      return block;
    }
    throw new IllegalStateException(
        "Could not allocate CUDA storage at exact address 0x" + Long.toHexString(address));
  }

  private boolean isInactive(int block) {
    return blocks.has(block, Blocks.MAPPED) && !blocks.has(block, Blocks.ACTIVE);
  }
}
