package dev.vramscope.store.files;

/**
 * The store has failed for now. The original files of acknowledged snapshots are not affected. The
 * failed request stored nothing or, if only its acknowledgement failed, everything.
 */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of failure. */
  public enum Reason {
    /** The disk of the data folder is full, would be, or cannot be written. */
    DISK_FULL,
    /** The database or the data folder cannot be read. */
    NOT_READ,
    /** The database cannot be written for another reason. */
    NOT_WRITTEN
  }

  private final Reason reason;
  private final String what;
  private final String where;
  private final String next;

  StoreUnavailableException(
      Reason reason, String what, String where, String next, Throwable cause) {
    super(what + " (" + where + "). " + next, cause);
    this.reason = reason;
    this.what = what;
    this.where = where;
    this.next = next;
  }

  StoreUnavailableException(Reason reason, String what, String where, String next) {
    super(what + " (" + where + "). " + next);
    this.reason = reason;
    this.what = what;
    this.where = where;
    this.next = next;
  }

  /**
   * A copy with the stack trace of the caller, for a further request that fails for this reason.
   */
  StoreUnavailableException again() {
    return new StoreUnavailableException(reason, what, where, next, this);
  }

  public Reason reason() {
    return reason;
  }

  /** What went wrong, with numbers; a clause without a full stop. */
  public String what() {
    return what;
  }

  /** Which part of the store. */
  public String where() {
    return where;
  }

  /** What the user can do about it, a sentence. */
  public String next() {
    return next;
  }
}
