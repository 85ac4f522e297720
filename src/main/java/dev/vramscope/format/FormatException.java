package dev.vramscope.format;

/** A file was rejected. The message is text for display. */
public final class FormatException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The kind of problem. */
  public enum Reason {
    /** A pickle opcode that could import, call or build an object. */
    FORBIDDEN_OPCODE,
    /** The content violates the format or is inconsistent. */
    MALFORMED,
    /** The file ends early. */
    TRUNCATED,
    /** A limit was exceeded. */
    TOO_LARGE,
    /** The file is not a memory snapshot in the expected format. */
    NOT_A_SNAPSHOT,
    /** The file is a text, which may be a log; it is no snapshot. */
    TEXT,
    /** The file is a snapshot, where the text of a log was expected. */
    SNAPSHOT
  }

  private final Reason reason;
  private final String what;
  private final String where;
  private final String next;

  /**
   * @param what the problem, a clause without a full stop
   * @param where byte offset or path, such as {@code segments[3].blocks[7].size, byte 4711}
   * @param next what the user can do about it, a sentence; it names neither a page nor a command
   *     nor a request, because that depends on which of them was used. May be empty
   */
  public FormatException(Reason reason, String what, String where, String next) {
    super(message(what, where, next));
    this.reason = reason;
    this.what = what;
    this.where = where;
    this.next = next;
  }

  private static String message(String what, String where, String next) {
    return (what + (where.isEmpty() ? "" : " (" + where + ")") + ". " + next).strip();
  }

  /**
   * What, where and what next, for a reader who has this way to go on.
   *
   * @param first a sentence that comes before {@link #next}; may be empty
   */
  public String message(String first) {
    return message(what, where, (first + " " + next).strip());
  }

  public Reason reason() {
    return reason;
  }

  public String what() {
    return what;
  }

  public String where() {
    return where;
  }

  public String next() {
    return next;
  }

  /** A copy with a further location, such as the byte offset of a path. */
  public FormatException at(String location) {
    String both = where.isEmpty() ? location : where + ", " + location;
    FormatException located = new FormatException(reason, what, both, next);
    located.setStackTrace(getStackTrace());
    return located;
  }
}
