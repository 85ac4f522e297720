package dev.vramscope.format;

import dev.vramscope.format.FormatException.Reason;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;

/** Untrusted JSON, read as a stream within the limits of a file. */
public final class BoundedJson {
  /** Python writes a double in at most 24 characters and an address in 20. */
  private static final int MAX_NUMBER_LENGTH = 100;

  private BoundedJson() {}

  /** A factory of parsers that refuse what exceeds the limits. */
  public static JsonFactoryBuilder factory(ReadLimits limits) {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxDocumentLength(limits.maxBytes())
                .maxNestingDepth(limits.encoding().maxDepth())
                .maxNameLength(limits.encoding().maxStringBytes())
                .maxStringLength(limits.encoding().maxStringBytes())
                .maxNumberLength(MAX_NUMBER_LENGTH)
                .build());
  }

  /**
   * The rejection of a file that a parser refused.
   *
   * @param where the place in the file
   * @param next what to do
   */
  public static FormatException rejection(JacksonException bad, String where, String next) {
    Reason reason =
        switch (bad) {
          case StreamConstraintsException _ -> Reason.TOO_LARGE;
          case UnexpectedEndOfInputException _ -> Reason.TRUNCATED;
          default -> Reason.MALFORMED;
        };
    String what = bad.getOriginalMessage().replaceFirst(", from `[^`]*`", "");
    return new FormatException(reason, what, where, next);
  }
}
