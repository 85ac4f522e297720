package dev.vramscope.explain;

import dev.vramscope.explain.findings.LogMessage;
import java.util.ArrayList;
import java.util.List;

/** A failure, or another message of its own. */
final class LogFailure {
  private final List<LogMessage> messages;
  private final List<LogMessage> consequences = new ArrayList<>();

  LogFailure(LogMessage first) {
    messages = new ArrayList<>(List.of(first));
  }

  /** Those that tell it; the first of the text comes first. */
  List<LogMessage> messages() {
    return messages;
  }

  /** Errors that only follow from it, and the same failure in other processes of the job. */
  List<LogMessage> consequences() {
    return consequences;
  }

  LogMessage first() {
    return messages.getFirst();
  }

  boolean isFailure() {
    return messages.stream().anyMatch(each -> each.kind().isFailure());
  }
}
