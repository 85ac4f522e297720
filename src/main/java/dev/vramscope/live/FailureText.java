package dev.vramscope.live;

/** The text that describes a failure to users. */
public final class FailureText {
  private static final String INTERNAL = "internal error; the server log has the details";

  private FailureText() {}

  /** Returns the message of the failure, or a general text if it has none. */
  public static String of(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? INTERNAL : message;
  }
}
