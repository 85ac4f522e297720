package dev.vramscope.allocator;

/** A request failed; the message contains the requested size, the device and its memory use. */
public final class OutOfDeviceMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long requestedBytes;

  public OutOfDeviceMemoryException(long requestedBytes, String message) {
    super(message);
    this.requestedBytes = requestedBytes;
  }

  public long requestedBytes() {
    return requestedBytes;
  }
}
