package dev.vramscope.intake;

import java.io.IOException;

/** The client went away in the middle of an upload; nothing was stored. */
public final class UploadInterruptedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long receivedBytes;
  private final long declaredBytes;

  /**
   * @param declaredBytes what the client said it would send, or -1
   */
  UploadInterruptedException(long receivedBytes, long declaredBytes) {
    super(
        "The upload ended after "
            + receivedBytes
            + (declaredBytes < 0 ? " bytes, in the middle" : " of " + declaredBytes + " bytes")
            + "; nothing was stored");
    this.receivedBytes = receivedBytes;
    this.declaredBytes = declaredBytes;
  }

  UploadInterruptedException(long receivedBytes, long declaredBytes, IOException cause) {
    this(receivedBytes, declaredBytes);
    initCause(cause);
  }

  public long receivedBytes() {
    return receivedBytes;
  }

  /** What the client said it would send, or -1. */
  public long declaredBytes() {
    return declaredBytes;
  }
}
