package dev.vramscope.whatif;

import java.util.Locale;

/** A recording is too large, or a replay takes too long. The message says which limit it is. */
public final class ReplayLimitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param what is counted, in plural, such as {@code operations}
   * @param count how many the recording has at the least
   * @param allowed how many are allowed
   */
  ReplayLimitException(String what, long count, long allowed) {
    super(
        String.format(
            Locale.ROOT,
            "This recording has %,d %s; at most %,d can be replayed.",
            count,
            what,
            allowed));
  }

  public ReplayLimitException(String message) {
    super(message);
  }
}
