package dev.vramscope.intake;

import java.io.IOException;

/** The client disconnected during the upload; nothing was stored. */
public final class UploadInterruptedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long receivedBytes;
  private final long declaredBytes;

  /**
   * @param declaredBytes the declared length of the body, or -1
   */
  UploadInterruptedException(long receivedBytes, long declaredBytes) {
    super(
        "The upload was interrupted after "
            + receivedBytes
            + (declaredBytes < 0 ? " bytes" : " of " + declaredBytes + " bytes")
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

  /** The declared length of the body, or -1. */
  public long declaredBytes() {
    return declaredBytes;
  }
}
