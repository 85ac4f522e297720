package dev.vramscope.explain;

import dev.vramscope.explain.findings.LogMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts together what belongs to one failure: some programs report it in several messages. */
final class Failures {
  private Failures() {}

  /** The messages of each failure, and each other message alone, in the order of the text. */
  static List<List<LogMessage>> of(List<LogMessage> findings) {
    List<List<LogMessage>> failures = new ArrayList<>();
    for (LogMessage finding : findings) {
      Optional<List<LogMessage>> same = Producers.of(finding).failureOf(finding, failures);
      if (same.isPresent()) {
        same.get().add(finding);
      } else {
        failures.add(new ArrayList<>(List.of(finding)));
      }
    }
    return failures;
  }
}
