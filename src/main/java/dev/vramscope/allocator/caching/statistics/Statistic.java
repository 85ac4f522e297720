package dev.vramscope.allocator.caching.statistics;

/** The statistics that are counted for small pools, for large pools, and for both. */
public enum Statistic {
  ALLOCATION("allocation"),
  SEGMENT("segment"),
  ACTIVE("active"),
  INACTIVE_SPLIT("inactive_split"),
  ALLOCATED_BYTES("allocated_bytes"),
  RESERVED_BYTES("reserved_bytes"),
  ACTIVE_BYTES("active_bytes"),
  INACTIVE_SPLIT_BYTES("inactive_split_bytes"),
  REQUESTED_BYTES("requested_bytes");

  private final String torchName;

  Statistic(String torchName) {
    this.torchName = torchName;
  }

  /** The name in PyTorch's {@code memory_stats}. */
  public String torchName() {
    return torchName;
  }
}
