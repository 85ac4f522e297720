package dev.vramscope.allocator.bfc;

/** The end of its region that a chunk was split from. */
public enum Tag {
  /** Free memory between the two ends. */
  CENTRAL_GAP("central_gap"),
  LOWER("lower"),
  UPPER("upper");

  private static final Tag[] BY_NUMBER = values();

  private final String text;

  Tag(String text) {
    this.text = text;
  }

  /** The name in XLA's logs. */
  public String text() {
    return text;
  }

  static Tag of(int number) {
    return BY_NUMBER[number];
  }
}
