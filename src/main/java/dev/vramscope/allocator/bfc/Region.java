package dev.vramscope.allocator.bfc;

/** Contiguous memory acquired from the device. */
final class Region {
  final long address;

  /** The sequence number of this region, from 0. */
  final long registration;

  /** The first chunk. It never changes, because merges keep the left chunk. */
  final int firstChunk;

  private long bytes;

  /** The free chunk between the lower and the upper chunks, or {@link ChunkTable#NONE}. */
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

  /** Adds memory at the end of the region. */
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
