package dev.vramscope.web.explain;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.intake.LogContent;
import dev.vramscope.web.problem.RefusedRequestException;
import java.io.IOException;
import java.io.InputStream;

/** A text to be explained, from the body of a request or from a file; compressed or not. */
final class SubmittedText {
  private SubmittedText() {}

  /**
   * Reads a text.
   *
   * @throws RefusedRequestException if it is too long, damaged, or not a text
   */
  static String read(InputStream in, String where) throws IOException {
    try {
      return LogContent.read(in);
    } catch (FormatException refused) {
      throw refused.reason() == Reason.TOO_LARGE
          ? RefusedRequestException.textTooLong(LogContent.MAX_BYTES >> 20, where)
          : RefusedRequestException.notText(refused, where);
    }
  }
}
