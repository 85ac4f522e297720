package dev.vramscope.allocator.caching;

/**
 * A contiguous address range held from the device: one allocation, or an {@link ExpandableSegment}.
 * Its blocks are a linked list in {@link Blocks}.
 */
sealed class Segment permits ExpandableSegment {
  private final int number;
  private final long registration;
  private final long address;
  private final int stream;

  /**
   * A segment without blocks yet.
   *
   * @param number a small number, reused after the segment is released
   * @param registration its position in the order of creation; never reused. PyTorch's {@code
   *     registration_counter}
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
