package dev.vramscope.cli.gpu;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a check ended.
 *
 * @param text a sentence
 * @param figures what was measured, by a name that ends in its unit
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

  /** Passed if a budget was kept; the sentence is the same either way. */
  static Outcome within(boolean budget, String text, Map<String, Object> figures) {
    return budget ? passed(text, figures) : failed(text, figures);
  }
}
