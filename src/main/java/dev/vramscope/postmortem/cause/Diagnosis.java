package dev.vramscope.postmortem.cause;

import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.List;

/**
 * A verdict and the causes that contribute to it, the most important first.
 *
 * @param alsoPresent without the cause of the verdict
 */
public record Diagnosis(Verdict verdict, List<Cause> alsoPresent) {
  public Diagnosis {
    alsoPresent = List.copyOf(alsoPresent);
  }

  /** The diagnosis of a verdict to which nothing else contributes. */
  static Diagnosis only(Verdict verdict) {
    return new Diagnosis(verdict, List.of());
  }
}
