package dev.vramscope.model;

/**
 * Something a reader should know before trusting a number: a survivable loss or contradiction.
 *
 * @param severity how much it matters
 * @param code a stable short name, such as {@code ring-wrapped}
 * @param message one sentence: what, how much, and what follows from it
 * @param count how often it was met, at least 1
 */
public record Finding(Severity severity, String code, String message, long count) {
  /** How much a finding matters. */
  public enum Severity {
    /** Good to know. */
    INFO,
    /** Some numbers are lower bounds or unknown. */
    WARNING,
    /** The file contradicts itself. */
    ERROR
  }
}
