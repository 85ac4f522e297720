package dev.vramscope.model.finding;

/**
 * Lost or contradictory data that limits how far a result can be trusted. {@link FindingKind} makes
 * them; those in files and in the store may be of an earlier release.
 *
 * @param severity how much it matters
 * @param code the stable name of its kind, such as {@code ring-wrapped}
 * @param message what is lost or contradictory, how much of it, and the consequence
 * @param count number of occurrences, at least 1
 */
public record Finding(Severity severity, String code, String message, long count) {
  /** How much a finding matters. */
  public enum Severity {
    /** No effect on the results, or a small one. */
    INFO,
    /** Some numbers are lower bounds or unknown. */
    WARNING,
    /** The file contradicts itself. */
    ERROR
  }
}
