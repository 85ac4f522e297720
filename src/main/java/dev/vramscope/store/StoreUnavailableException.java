package dev.vramscope.store;

/**
 * The store cannot do its work at the moment. Whatever was acknowledged before is still there; the
 * request that failed left nothing behind or, if only its acknowledgement failed, all of it.
 */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** The disk under the data folder is full, or would be. */
    DISK_FULL,
    /** The database cannot be reached or written. */
    FAILED
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

  public Reason reason() {
    return reason;
  }

  /** What is wrong, with its numbers; a clause without a final stop. */
  public String what() {
    return what;
  }

  /** Which part of the store. */
  public String where() {
    return where;
  }

  /** What can be done, a sentence. */
  public String next() {
    return next;
  }
}
