package dev.vramscope.device;

/**
 * Work that a device does on its memory, in stream order. Every call enqueues and returns
 * immediately. Ranges start at a multiple of 8 bytes and are filled with a {@link Pattern}.
 */
public interface DeviceWork {
  /** Enqueues a fill: writes the pattern of a seed to the range. */
  void fill(int stream, long address, long bytes, long seed);

  /**
   * Writes the pattern that {@link #fill} writes to pinned host memory. Done by the calling thread,
   * before the call returns.
   */
  void fillHost(long hostAddress, long bytes, long seed);

  /**
   * Enqueues a copy from pinned host memory to device memory. The host memory must neither change
   * nor be freed before the copy has completed.
   */
  void copyToDevice(int stream, long hostAddress, long address, long bytes);

  /** Enqueues a check: compares the range with the pattern of a seed. */
  PendingCheck check(int stream, long address, long bytes, long seed);

  /**
   * Whether a check compares every byte and a spin takes the requested time. Where the driver does
   * not accept our device code, checks compare only both ends of a range, and spins take no time.
   */
  boolean checksEveryByte();

  /** Enqueues work that takes about {@code nanos}. */
  void spin(int stream, long nanos);

  /** Makes work enqueued in the stream after this call wait for an event of another stream. */
  void await(int stream, long event);

  /**
   * Checks a range that work is enqueued for.
   *
   * @throws IllegalArgumentException if it does not start at a multiple of 8 or its size is
   *     negative
   */
  static void requireRange(long address, long bytes) {
    if (address % Long.BYTES != 0 || bytes < 0) {
      throw new IllegalArgumentException(
          "A range must start at a multiple of 8 and have 0 bytes or more, got %d bytes at 0x%x."
              .formatted(bytes, address));
    }
  }
}
