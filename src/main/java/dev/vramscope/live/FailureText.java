package dev.vramscope.live;

/** What a failure says to people. */
public final class FailureText {
  private FailureText() {}

  /** Its message; the name of its class only where it has none. */
  public static String of(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? "failed with " + failure.getClass().getSimpleName() + "; the log tells where"
        : message;
  }
}
