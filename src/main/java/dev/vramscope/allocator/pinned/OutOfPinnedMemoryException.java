package dev.vramscope.allocator.pinned;

/** The host has no memory left that could be pinned; the message says how much was asked. */
public final class OutOfPinnedMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long requestedBytes;

  OutOfPinnedMemoryException(long requestedBytes, String message) {
    super(message);
    this.requestedBytes = requestedBytes;
  }

  public long requestedBytes() {
    return requestedBytes;
  }
}
