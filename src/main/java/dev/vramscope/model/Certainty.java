package dev.vramscope.model;

import java.util.Locale;

/** How sure a statement is. */
public enum Certainty {
  /** Follows from what is known: nothing that is unknown could change it. */
  CERTAIN("certain"),
  /** The usual reason for what is known, which does not exclude others. */
  LIKELY("likely"),
  /** What is known does not decide it. */
  UNDECIDED("undecided");

  private final String label;

  Certainty(String label) {
    this.label = label;
  }

  /** The text for sentences. */
  public String label() {
    return label;
  }

  /** The name in JSON. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean isCertain() {
    return this == CERTAIN;
  }
}
