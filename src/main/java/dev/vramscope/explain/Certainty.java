package dev.vramscope.explain;

import java.util.Locale;

/** How sure a statement is. */
public enum Certainty {
  /** Follows from the text: nothing that the text leaves open could change it. */
  CERTAIN("certain"),
  /** The usual reason for what the text says; the text does not exclude others. */
  LIKELY("likely"),
  /** The text does not say it. */
  UNKNOWN("not in this text");

  private final String label;

  Certainty(String label) {
    this.label = label;
  }

  /** The text for pages. */
  public String label() {
    return label;
  }

  /** The name in JSON. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
