package dev.vramscope.whatif.replays;

/** Settings that an allocator does not accept. */
public final class SettingsRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String where;
  private final String next;

  SettingsRefusedException(String what, String where, String next) {
    super(what);
    this.where = where;
    this.next = next;
  }

  /** The place of the error. */
  public String where() {
    return where;
  }

  /** What to do, a sentence. */
  public String next() {
    return next;
  }
}
