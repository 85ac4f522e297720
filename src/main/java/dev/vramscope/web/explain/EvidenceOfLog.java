package dev.vramscope.web.explain;

import dev.vramscope.evidence.Evidence;
import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.explain.LogExplanation;
import dev.vramscope.explain.producer.Conclusion;
import java.util.Optional;
import java.util.stream.Collectors;

/** The part of a log that says something about a device: a short one as a whole, or a message. */
final class EvidenceOfLog {
  private static final int LINES = 40;

  private EvidenceOfLog() {}

  /** A text that can be attached to a snapshot; empty if the log has none. */
  static Optional<String> of(LogExcerpt log, LogExplanation explanation) {
    String text = log.text().strip();
    if (text.length() <= Evidence.MAX_CHARACTERS && Evidence.parse(text).isPresent()) {
      return Optional.of(text);
    }
    for (Conclusion conclusion : explanation.conclusions()) {
      String part =
          log.text()
              .lines()
              .skip(conclusion.message().line() - 1L)
              .limit(LINES)
              .collect(Collectors.joining("\n"))
              .strip();
      part = part.substring(0, Math.min(part.length(), Evidence.MAX_CHARACTERS));
      if (Evidence.parse(part).isPresent()) {
        return Optional.of(part);
      }
    }
    return Optional.empty();
  }
}
