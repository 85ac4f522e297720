package dev.vramscope.allocator.caching;

import dev.vramscope.model.PoolId;

/**
 * A pool of its own for a CUDA graph or a user: its memory serves nobody else. It is used by so
 * many; when the last user is gone it is <i>released</i>, and once no memory is left in it, it is
 * removed.
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
   * A pool with one user.
   *
   * @param number of its small pool; the next is that of its large pool
   */
  PrivatePool(PoolId id, int number, boolean maySplit, Blocks blocks, TieBreak tieBreak) {
    this.id = id;
    this.maySplit = maySplit;
    this.smallBlocks = new Pool(number, true, this, blocks, tieBreak);
    this.largeBlocks = new Pool(number + 1, false, this, blocks, tieBreak);
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
   * Takes a user off.
   *
   * @return whether that was the last
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

  /** Memory it holds from the device, plain or mapped. */
  long reservedBytes() {
    return reservedBytes;
  }

  void addReserved(long bytes) {
    reservedBytes += bytes;
  }

  /** A request goes to the device for memory of this pool, which must not vanish meanwhile. */
  void beginRequest() {
    requestsUnderway++;
  }

  void endRequest() {
    requestsUnderway--;
  }

  /** Whether nothing of it is left that anybody has or waits for. */
  boolean isDeserted() {
    return isReleased() && reservedBytes == 0 && requestsUnderway == 0;
  }

  boolean maySplit() {
    return maySplit;
  }

  void forbidSplits() {
    maySplit = false;
  }
}
