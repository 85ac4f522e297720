package dev.vramscope.store.codec;

/** A stored blob is damaged, missing, or written by a newer version. */
public final class UnreadableBlobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient BlobKey blob;

  UnreadableBlobException(BlobKey blob, String what) {
    super(
        "Stored columns cannot be read: "
            + what
            + " ("
            + blob
            + "). The original file is kept apart: download it, delete the snapshot, upload it"
            + " again.");
    this.blob = blob;
  }

  /** Which one. */
  public BlobKey blob() {
    return blob;
  }
}
