package dev.vramscope.allocator;

/** No place for a request; the message says how much was asked, where, and what is there. */
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
