package dev.vramscope.store.files;

/** The data folder cannot be used, so the service cannot start. */
public final class DataFolderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String next;

  public DataFolderException(String what, String next) {
    super(what);
    this.next = next;
  }

  public DataFolderException(String what, String next, Throwable cause) {
    super(what, cause);
    this.next = next;
  }

  /** What the user can do about it, a sentence. */
  public String next() {
    return next;
  }
}
