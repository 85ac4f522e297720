package dev.vramscope.live.lab;

/** A line of a script cannot be read. */
public final class ScriptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String where;
  private final String next;

  ScriptException(String message, String where, String next) {
    super(message);
    this.where = where;
    this.next = next;
  }

  /** The line, or the part of the request. */
  public String where() {
    return where;
  }

  /** What the user can do, as a sentence. */
  public String next() {
    return next;
  }
}
