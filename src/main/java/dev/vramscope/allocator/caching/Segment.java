package dev.vramscope.allocator.caching;

/**
 * Contiguous addresses held from the device: memory taken in one piece, or an {@link
 * ExpandableSegment}. Its blocks are a chain in {@link Blocks}.
 */
sealed class Segment permits ExpandableSegment {
  private final int number;
  private final long registration;
  private final long address;
  private final int stream;

  /**
   * A segment whose blocks are to come.
   *
   * @param number small, used again after the segment is gone
   * @param registration the how manieth segment it is; never used again
   */
  Segment(int number, long registration, long address, int stream) {
    this.number = number;
    this.registration = registration;
    this.address = address;
    this.stream = stream;
  }

  int number() {
    return number;
  }

  long registration() {
    return registration;
  }

  long address() {
    return address;
  }

  int stream() {
    return stream;
  }
}
