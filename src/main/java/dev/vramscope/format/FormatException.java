package dev.vramscope.format;

/** Why a file was refused, in words that a page may show. */
public final class FormatException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The kind of refusal. */
  public enum Reason {
    /** An opcode that could import, call or build something: refused by name. */
    FORBIDDEN_OPCODE,
    /** The bytes do not follow the format, or contradict themselves beyond repair. */
    MALFORMED,
    /** The file ends in the middle. */
    TRUNCATED,
    /** A limit was reached. */
    TOO_LARGE,
    /** Something else than the format that was expected. */
    NOT_A_SNAPSHOT
  }

  private final Reason reason;
  private final String what;
  private final String where;
  private final String next;

  /**
   * @param what is wrong, a clause without a final stop
   * @param where byte offset or path, such as {@code segments[3].blocks[7].size, byte 4711}
   * @param next what the person can do about it, a sentence
   */
  public FormatException(Reason reason, String what, String where, String next) {
    super(what + (where.isEmpty() ? "" : " (" + where + ")") + ". " + next);
    this.reason = reason;
    this.what = what;
    this.where = where;
    this.next = next;
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

  /** The same refusal with a further place, such as the byte offset at which a path was met. */
  public FormatException at(String place) {
    String both = where.isEmpty() ? place : where + ", " + place;
    FormatException placed = new FormatException(reason, what, both, next);
    placed.setStackTrace(getStackTrace());
    return placed;
  }
}
