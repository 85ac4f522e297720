package dev.vramscope.allocator.bfc;

/** Which end of its region a chunk was carved from. */
public enum Tag {
  /** Free, and not yet of any end. */
  CENTRAL_GAP("central_gap"),
  LOWER("lower"),
  UPPER("upper");

  private static final Tag[] BY_NUMBER = values();

  private final String text;

  Tag(String text) {
    this.text = text;
  }

  /** The word in the original's logs. */
  public String text() {
    return text;
  }

  static Tag of(int number) {
    return BY_NUMBER[number];
  }
}
