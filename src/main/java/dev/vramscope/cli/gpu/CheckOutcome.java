package dev.vramscope.cli.gpu;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of a check.
 *
 * @param text a sentence
 * @param figures measurements by name; names end with the unit
 */
record CheckOutcome(Verdict verdict, String text, Map<String, Object> figures) {
  enum Verdict {
    PASSED,
    FAILED,
    SKIPPED
  }

  CheckOutcome {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  static CheckOutcome passed(String text, Map<String, Object> figures) {
    return new CheckOutcome(Verdict.PASSED, text, figures);
  }

  static CheckOutcome failed(String text, Map<String, Object> figures) {
    return new CheckOutcome(Verdict.FAILED, text, figures);
  }

  static CheckOutcome skipped(String reason) {
    return new CheckOutcome(Verdict.SKIPPED, reason, Map.of());
  }

  /** Passed if the condition holds, otherwise failed, with the same text. */
  static CheckOutcome passedIf(boolean holds, String text, Map<String, Object> figures) {
    return holds ? passed(text, figures) : failed(text, figures);
  }
}
