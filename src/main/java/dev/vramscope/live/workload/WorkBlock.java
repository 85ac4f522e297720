package dev.vramscope.live.workload;

import java.util.BitSet;

/** An allocated block and the streams that use it. */
final class WorkBlock {
  private final long handle;
  private final long address;
  private final long bytes;
  private final int stream;
  private final long seed;
  private final BitSet users = new BitSet();
  private int lastUser;

  /**
   * Creates a block that only its own stream uses.
   *
   * @param bytes the requested size
   * @param seed the seed of its pattern
   */
  WorkBlock(long handle, long address, long bytes, int stream, long seed) {
    this.handle = handle;
    this.address = address;
    this.bytes = bytes;
    this.stream = stream;
    this.seed = seed;
    users.set(stream);
    lastUser = stream;
  }

  long handle() {
    return handle;
  }

  long address() {
    return address;
  }

  long bytes() {
    return bytes;
  }

  int stream() {
    return stream;
  }

  long seed() {
    return seed;
  }

  /** The streams whose use is recorded with the allocator. */
  BitSet users() {
    return users;
  }

  /** The stream that checks it before it is freed. */
  int lastUser() {
    return lastUser;
  }

  void setLastUser(int stream) {
    lastUser = stream;
  }
}
