package dev.vramscope.device;

/**
 * Work that a device does on its memory, each piece in the order of its stream. Every call returns
 * at once. Ranges begin at a multiple of 8 bytes; what they are filled with is a {@link Pattern}.
 */
public interface DeviceWork {
  /** Enqueues: writes the pattern of a seed over the range. */
  void fill(int stream, long address, long bytes, long seed);

  /** Enqueues: compares the range with the pattern of a seed. */
  PendingCheck check(int stream, long address, long bytes, long seed);

  /**
   * Whether a check looks at every byte, and a spin takes its time. Where a driver does not take
   * our device code, checks look at both ends of a range only, and spins take none.
   */
  boolean isComplete();

  /** Enqueues work that takes about so long. */
  void spin(int stream, long nanos);

  /** Lets what is enqueued in a stream from now on wait for an event of another one. */
  void await(int stream, long event);
}
