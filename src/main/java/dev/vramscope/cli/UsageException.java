package dev.vramscope.cli;

/** A command was called wrongly; the message says how it is called. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
