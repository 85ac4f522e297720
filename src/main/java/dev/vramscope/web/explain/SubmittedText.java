package dev.vramscope.web.explain;

import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.intake.LogContent;
import dev.vramscope.intake.RejectedContentException;
import dev.vramscope.web.problem.RefusedRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;

/** A text to be explained, from the body of a request or from a file; compressed or not. */
final class SubmittedText {
  private SubmittedText() {}

  /** Reads a text, and perhaps does more with it. */
  @FunctionalInterface
  interface Reading<T> {
    T read() throws IOException, FormatException;
  }

  /**
   * Reads a text.
   *
   * @param where the text is, for a person
   * @throws RefusedRequestException if it is too long, damaged, or not a text
   */
  static LogExcerpt read(InputStream in, String where) throws IOException {
    return read(
        where,
        () -> {
          try (Reader log = LogContent.open(in)) {
            return LogExcerpt.read(log);
          }
        });
  }

  /**
   * Reads a text in some way.
   *
   * @param where the text is, for a person
   * @throws RefusedRequestException if it is too long, damaged, or not a text
   */
  static <T> T read(String where, Reading<T> reading) throws IOException {
    try {
      return reading.read();
    } catch (RejectedContentException rejected) {
      throw refused(rejected.formatException(), where);
    } catch (FormatException refused) {
      throw refused(refused, where);
    }
  }

  private static RefusedRequestException refused(FormatException why, String where) {
    return why.reason() == Reason.TOO_LARGE
        ? RefusedRequestException.textTooLong(why.what(), where, why.next())
        : RefusedRequestException.notText(why, where);
  }
}
