package dev.vramscope.replay;

/**
 * What a command was given to read makes no sense; the message says what, where, and what would.
 */
public final class InputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InputException(String message) {
    super(message);
  }

  public InputException(String message, Throwable cause) {
    super(message, cause);
  }
}
