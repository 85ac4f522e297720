package dev.vramscope.model;

/**
 * A request that failed.
 *
 * @param event its number in the trace
 * @param requestedBytes the bytes that could not be allocated, as recorded (PyTorch records the
 *     rounded size)
 * @param deviceFreeBytes free bytes on the device at that moment, or {@link #UNKNOWN}
 */
public record OomEvent(int event, long requestedBytes, long deviceFreeBytes) {
  /** Not recorded. */
  public static final long UNKNOWN = -1;
}
