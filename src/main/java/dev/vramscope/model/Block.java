package dev.vramscope.model;

/**
 * A piece of a segment.
 *
 * @param address first byte, unsigned
 * @param bytes allocated size (rounded up), at least 1
 * @param requestedBytes the requested bytes, or {@link #UNKNOWN}: PyTorch before 2.0 does not write
 *     them, and for an inactive block the file contains those of its last allocation
 * @param state whether it is in use
 * @param stack the allocating stack, an id in the snapshot's {@link StackTable}
 */
public record Block(long address, long bytes, long requestedBytes, BlockState state, int stack) {
  /** Not recorded. */
  public static final long UNKNOWN = -1;

  public boolean isActive() {
    return state.isActive();
  }

  /** One past the last byte. */
  public long end() {
    return address + bytes;
  }

  /** Whether an address is in this block. */
  public boolean contains(long other) {
    return Long.compareUnsigned(other - address, bytes) < 0;
  }

  /** Whether {@code next} begins where this block ends. */
  public boolean isContiguousBefore(Block next) {
    return end() == next.address;
  }
}
