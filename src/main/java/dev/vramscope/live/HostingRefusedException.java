package dev.vramscope.live;

/** What was asked for goes over a bound, or names a card that is not there. */
public final class HostingRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of refusal. */
  public enum Kind {
    /** A bound of {@link LiveSettings} is reached; it may be free again later. */
    LIMIT,
    /** The request itself is wrong, and will be tomorrow. */
    REQUEST,
    /** The driver or the card cannot be used now. */
    DEVICE
  }

  private final Kind kind;
  private final String where;
  private final String next;

  public HostingRefusedException(Kind kind, String what, String where, String next) {
    super(what);
    this.kind = kind;
    this.where = where;
    this.next = next;
  }

  public Kind kind() {
    return kind;
  }

  /** The part of the request, or the bound. */
  public String where() {
    return where;
  }

  /** What can be done, a sentence. */
  public String next() {
    return next;
  }
}
