package dev.vramscope.allocator.bfc;

/** Contiguous memory held from the device. */
final class Region {
  final long address;

  /** The how manieth region this is, from 0. */
  final long registration;

  /** The chunk at the address; merges keep the left chunk, so it stays the same. */
  final int firstChunk;

  private long bytes;

  /** The free chunk between the lower and the upper ones, or {@link ChunkTable#NONE}. */
  private int centralGap = ChunkTable.NONE;

  Region(long address, long bytes, long registration, int firstChunk) {
    this.address = address;
    this.bytes = bytes;
    this.registration = registration;
    this.firstChunk = firstChunk;
  }

  long bytes() {
    return bytes;
  }

  long endAddress() {
    return address + bytes;
  }

  /** More memory was joined behind it. */
  void grow(long by) {
    bytes += by;
  }

  int centralGap() {
    return centralGap;
  }

  void setCentralGap(int slot) {
    centralGap = slot;
  }
}
