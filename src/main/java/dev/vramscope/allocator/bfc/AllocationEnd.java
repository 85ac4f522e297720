package dev.vramscope.allocator.bfc;

/** The end of a partitioned region to allocate from; {@code LOWER} in an unpartitioned pool. */
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

  /** The tag as {@link ChunkTable} stores it. */
  int tagNumber() {
    return this == UPPER ? ChunkTable.UPPER : ChunkTable.LOWER;
  }

  /** The name in XLA's logs. */
  public String text() {
    return tag.text();
  }
}
