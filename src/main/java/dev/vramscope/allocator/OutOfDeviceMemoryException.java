package dev.vramscope.allocator;

/** A request failed; the message contains the requested size, the device and its memory use. */
public final class OutOfDeviceMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long requestedBytes;
  private final long triedBytes;

  public OutOfDeviceMemoryException(long requestedBytes, String message) {
    this(requestedBytes, requestedBytes, message);
  }

  /**
   * A request for which a larger segment could not be acquired.
   *
   * @param triedBytes the size of that segment, which the message contains
   */
  public OutOfDeviceMemoryException(long requestedBytes, long triedBytes, String message) {
    this(requestedBytes, triedBytes, message, /* hasStackTrace= */ true);
  }

  private OutOfDeviceMemoryException(
      long requestedBytes, long triedBytes, String message, boolean hasStackTrace) {
    super(message, /* cause= */ null, /* enableSuppression= */ hasStackTrace, hasStackTrace);
    this.requestedBytes = requestedBytes;
    this.triedBytes = triedBytes;
  }

  /** A failure that is counted and not shown: it has neither a message nor a stack trace. */
  public static OutOfDeviceMemoryException withoutMessage(long requestedBytes, long triedBytes) {
    return new OutOfDeviceMemoryException(
        requestedBytes, triedBytes, /* message= */ "", /* hasStackTrace= */ false);
  }

  public long requestedBytes() {
    return requestedBytes;
  }

  /** The memory that the allocator tried to acquire: the requested bytes, or a segment for them. */
  public long triedBytes() {
    return triedBytes;
  }
}
