package dev.vramscope.store;

/** A stored snapshot is not available yet, because its rows and columns are being rebuilt. */
public final class SnapshotPendingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SnapshotPendingException(String id) {
    super("The snapshot " + id + " is being read again from its original file");
  }
}
