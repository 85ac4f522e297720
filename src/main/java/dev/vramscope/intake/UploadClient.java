package dev.vramscope.intake;

/**
 * The sender of an upload.
 *
 * @param address shares the limit per client
 * @param stopReading ends the body early, so that a thread that waits for its bytes continues
 */
public record UploadClient(String address, Runnable stopReading) {
  /** This process, whose uploads never stall. */
  static final UploadClient LOCAL = ofReceived("");

  /** A sender whose body was received before. */
  public static UploadClient ofReceived(String address) {
    return new UploadClient(address, () -> {});
  }
}
