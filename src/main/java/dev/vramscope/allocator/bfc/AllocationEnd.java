package dev.vramscope.allocator.bfc;

/** From which end of a partitioned region a request is served; only lower matters without. */
public enum AllocationEnd {
  LOWER(Tag.LOWER),
  UPPER(Tag.UPPER);

  private final Tag tag;

  AllocationEnd(Tag tag) {
    this.tag = tag;
  }

  Tag tag() {
    return tag;
  }

  /** The tag, as {@link ChunkTable} keeps it. */
  int tagNumber() {
    return this == UPPER ? ChunkTable.UPPER : ChunkTable.LOWER;
  }

  /** The word in the original's logs. */
  public String text() {
    return tag.text();
  }
}
