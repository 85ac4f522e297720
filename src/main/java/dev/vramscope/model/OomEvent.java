package dev.vramscope.model;

/**
 * A request that failed.
 *
 * @param event its place in the trace
 * @param requestedBytes the bytes that could not be had, as recorded (PyTorch records the rounded
 *     request)
 * @param deviceFreeBytes free bytes on the device at that moment, or {@link #UNKNOWN}
 */
public record OomEvent(int event, long requestedBytes, long deviceFreeBytes) {
  /** Not recorded. */
  public static final long UNKNOWN = -1;
}
