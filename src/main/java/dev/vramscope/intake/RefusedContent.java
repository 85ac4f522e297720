package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import java.io.IOException;

/** Carries a refusal out of a stream's {@code read}. */
final class RefusedContent extends IOException {
  private static final long serialVersionUID = 1L;

  private final FormatException refusal;

  RefusedContent(FormatException.Reason reason, String what, String where, String next) {
    refusal = new FormatException(reason, what, where, next);
  }

  FormatException refusal() {
    return refusal;
  }
}
