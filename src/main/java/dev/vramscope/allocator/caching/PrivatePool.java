package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;

/**
 * A pair of pools whose memory serves only the requests in its scopes, such as those of a CUDA
 * graph. It counts its users: without users it is <i>released</i>, and once it holds no memory, it
 * is removed.
 */
final class PrivatePool {
  private final PoolId id;
  private final Pool smallBlocks;
  private final Pool largeBlocks;
  private int useCount = 1;
  private long reservedBytes;
  private int requestsUnderway;
  private boolean maySplit;

  /**
   * Creates the pools with one user.
   *
   * @param number the number of the small pool; the large pool has the next one
   */
  PrivatePool(PoolId id, int number, boolean maySplit, Blocks blocks, TieBreak tieBreak) {
    this.id = id;
    this.maySplit = maySplit;
    this.smallBlocks = new Pool(number, PoolKind.SMALL, this, blocks, tieBreak);
    this.largeBlocks = new Pool(number + 1, PoolKind.LARGE, this, blocks, tieBreak);
  }

  PoolId id() {
    return id;
  }

  Pool small() {
    return smallBlocks;
  }

  Pool large() {
    return largeBlocks;
  }

  int useCount() {
    return useCount;
  }

  void addUser() {
    useCount++;
  }

  /**
   * Removes a user.
   *
   * @return whether it was the last one
   */
  boolean removeUser() {
    useCount--;
    if (useCount == 0) {
      maySplit = true;
    }
    return useCount == 0;
  }

  boolean isReleased() {
    return useCount == 0;
  }

  /** Memory held from the device, in segments or as mapped pages. */
  long reservedBytes() {
    return reservedBytes;
  }

  void addReserved(long bytes) {
    reservedBytes += bytes;
  }

  /** A request acquires memory for this pool, which must not be removed until it ends. */
  void beginRequest() {
    requestsUnderway++;
  }

  void endRequest() {
    requestsUnderway--;
  }

  /** Whether it has no user, no memory and no request in progress. */
  boolean isRemovable() {
    return isReleased() && reservedBytes == 0 && requestsUnderway == 0;
  }

  boolean maySplit() {
    return maySplit;
  }

  void forbidSplits() {
    maySplit = false;
  }
}
