package dev.vramscope.explain.message;

import java.util.Locale;

/**
 * Messages that a text has besides those that are listed, because it has too many different ones.
 *
 * @param failures those of failed requests
 * @param others warnings and reports
 */
public record LeftOut(long failures, long others) {
  public static final LeftOut NONE = new LeftOut(0, 0);

  public LeftOut plus(MessageKind kind, long times) {
    return kind.isFailure()
        ? new LeftOut(failures + times, others)
        : new LeftOut(failures, others + times);
  }

  /** A sentence about them, or nothing. */
  public String sentence() {
    if (failures + others == 0) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "The text has more different messages than are listed: %,d further messages of failures%s"
            + " are left out.",
        failures,
        others == 0 ? "" : String.format(Locale.ROOT, " and %,d others", others));
  }
}
