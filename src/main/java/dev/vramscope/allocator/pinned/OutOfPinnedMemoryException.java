package dev.vramscope.allocator.pinned;

/** The host cannot pin more memory; the message contains the requested size. */
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
