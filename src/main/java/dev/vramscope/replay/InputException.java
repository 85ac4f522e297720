package dev.vramscope.replay;

/** Malformed input; the message contains the problem, its location and the expected form. */
public final class InputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InputException(String message) {
    super(message);
  }

  public InputException(String message, Throwable cause) {
    super(message, cause);
  }
}
