package dev.vramscope.store;

/** The requested part of a snapshot is damaged. Other snapshots are not affected. */
public final class DamagedSnapshotException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String id;
  private final String what;

  DamagedSnapshotException(String id, String what) {
    super(what + " (snapshot " + id + ")");
    this.id = id;
    this.what = what;
  }

  /** The id of the snapshot. */
  public String id() {
    return id;
  }

  /** What is damaged, and what still works; sentences. */
  public String what() {
    return what;
  }
}
