package dev.vramscope.live;

/** A request exceeds a limit, is invalid, or names an unavailable device. */
public final class HostingRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of refusal. */
  public enum Kind {
    /** A limit of {@link LiveSettings} is reached; the request may succeed later. */
    LIMIT,
    /** The request is invalid; repeating it does not help. */
    REQUEST,
    /** The driver or the device cannot be used now. */
    DEVICE
  }

  private final Kind kind;
  private final String where;
  private final String next;

  public HostingRefusedException(Kind kind, String message, String where, String next) {
    super(message);
    this.kind = kind;
    this.where = where;
    this.next = next;
  }

  public Kind kind() {
    return kind;
  }

  /** The invalid part of the request, or the name of the limit. */
  public String where() {
    return where;
  }

  /** What the user can do, as a sentence. */
  public String next() {
    return next;
  }
}
