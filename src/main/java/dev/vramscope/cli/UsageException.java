package dev.vramscope.cli;

/** Invalid arguments; the message contains the usage. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
