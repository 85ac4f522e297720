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
record Outcome(Verdict verdict, String text, Map<String, Object> figures) {
  enum Verdict {
    PASSED,
    FAILED,
    SKIPPED
  }

  Outcome {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  static Outcome passed(String text, Map<String, Object> figures) {
    return new Outcome(Verdict.PASSED, text, figures);
  }

  static Outcome failed(String text, Map<String, Object> figures) {
    return new Outcome(Verdict.FAILED, text, figures);
  }

  static Outcome skipped(String reason) {
    return new Outcome(Verdict.SKIPPED, reason, Map.of());
  }

  /** Passed if the condition holds, otherwise failed, with the same text. */
  static Outcome passedIf(boolean holds, String text, Map<String, Object> figures) {
    return holds ? passed(text, figures) : failed(text, figures);
  }
}
