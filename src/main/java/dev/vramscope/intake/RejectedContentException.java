package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import java.io.IOException;

/** Carries a {@link FormatException} out of a stream's {@code read}. */
public final class RejectedContentException extends IOException {
  private static final long serialVersionUID = 1L;

  private final FormatException formatException;

  RejectedContentException(FormatException.Reason reason, String what, String where, String next) {
    formatException = new FormatException(reason, what, where, next);
  }

  /** What is wrong with the content. */
  public FormatException formatException() {
    return formatException;
  }
}
