package dev.vramscope.allocator.caching.blocks;

/**
 * A contiguous address range held from the device: one allocation, or an {@link ExpandableSegment}.
 * Its blocks are a linked list in {@link Blocks}.
 */
public sealed class HeldSegment permits ExpandableSegment {
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
  public HeldSegment(int number, long registration, long address, int stream) {
    this.number = number;
    this.registration = registration;
    this.address = address;
    this.stream = stream;
  }

  public int number() {
    return number;
  }

  public long registration() {
    return registration;
  }

  public long address() {
    return address;
  }

  public int stream() {
    return stream;
  }
}
