package dev.vramscope.postmortem;

import dev.vramscope.postmortem.Verdict.Cause;
import java.util.List;

/**
 * A verdict and the causes that contribute to it, the most important first.
 *
 * @param alsoPresent without the cause of the verdict
 */
record Diagnosis(Verdict verdict, List<Cause> alsoPresent) {
  Diagnosis {
    alsoPresent = List.copyOf(alsoPresent);
  }

  /** Of a verdict to which nothing else contributes. */
  static Diagnosis only(Verdict verdict) {
    return new Diagnosis(verdict, List.of());
  }
}
