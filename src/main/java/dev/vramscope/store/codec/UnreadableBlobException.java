package dev.vramscope.store.codec;

/** A stored blob is damaged, missing, or was written by a newer release. */
public final class UnreadableBlobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient BlobKey blob;

  public UnreadableBlobException(BlobKey blob, String what) {
    super("A stored column blob cannot be read: " + what + " (" + blob + ").");
    this.blob = blob;
  }

  /** The unreadable blob. */
  public BlobKey blob() {
    return blob;
  }
}
