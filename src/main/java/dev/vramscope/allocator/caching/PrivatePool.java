package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.PoolId;

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
  private boolean maySplit = true;
  private boolean usedOnOutOfMemory;

  PrivatePool(PoolId id, int smallNumber, int largeNumber, Blocks blocks, TieOrder ties) {
    this.id = id;
    this.smallBlocks = new Pool(smallNumber, true, this, blocks, ties);
    this.largeBlocks = new Pool(largeNumber, false, this, blocks, ties);
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

  boolean maySplit() {
    return maySplit;
  }

  void forbidSplits() {
    maySplit = false;
  }

  boolean isUsedOnOutOfMemory() {
    return usedOnOutOfMemory;
  }

  void setUsedOnOutOfMemory(boolean used) {
    usedOnOutOfMemory = used;
  }
}
