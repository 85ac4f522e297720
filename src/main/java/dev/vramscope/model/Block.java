package dev.vramscope.model;

/**
 * A piece of a segment.
 *
 * @param address first byte, unsigned
 * @param bytes allocated size (rounded up), at least 1
 * @param requestedBytes what the client asked for, or {@link #UNKNOWN}: before PyTorch 2.0 it was
 *     not written, and for an inactive block the number in the file is that of its last owner
 * @param state who may touch it
 * @param stack where it was allocated, an id in the snapshot's {@link StackTable}
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

  /** Whether {@code next} begins where this block ends. */
  public boolean isContiguousBefore(Block next) {
    return end() == next.address;
  }
}
