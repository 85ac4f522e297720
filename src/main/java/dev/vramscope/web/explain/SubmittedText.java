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

  /**
   * Reads a text.
   *
   * @throws RefusedRequestException if it is too long, damaged, or not a text
   */
  static LogExcerpt read(InputStream in, String where) throws IOException {
    try (Reader log = LogContent.open(in)) {
      return LogExcerpt.read(log);
    } catch (RejectedContentException rejected) {
      throw refused(rejected.formatException(), where);
    } catch (FormatException refused) {
      throw refused(refused, where);
    }
  }

  /** Says what is wrong with a text. */
  static RefusedRequestException refused(FormatException why, String where) {
    return why.reason() == Reason.TOO_LARGE
        ? RefusedRequestException.textTooLong(why.what(), where, why.next())
        : RefusedRequestException.notText(why, where);
  }
}
