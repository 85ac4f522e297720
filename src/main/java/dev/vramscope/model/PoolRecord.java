package dev.vramscope.model;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What a dump of a BFC allocator says of its pool beside the chunks.
 *
 * @param requestedInUse what clients requested of the chunks in use, in each size class from the
 *     smallest; empty unless the file has all classes
 * @param fragmentation the allocator's own {@code fragmentation_metric}, 0 to 1; empty if the file
 *     does not have it, or not as a number
 * @param doubt why the request may be that of another moment, as a sentence; empty if it is not
 */
public record PoolRecord(
    List<Requested> requestedInUse, OptionalDouble fragmentation, String doubt) {
  /**
   * What clients requested in one size class.
   *
   * @param bytes the sum, as the file has it
   * @param errorBytes the most by which the sum may differ, because the file rounds it
   */
  public record Requested(long bytes, long errorBytes) {}

  /** The record of one file, whose parts belong together. */
  public PoolRecord(List<Requested> requestedInUse, OptionalDouble fragmentation) {
    this(requestedInUse, fragmentation, "");
  }

  public PoolRecord {
    requestedInUse = List.copyOf(requestedInUse);
  }

  /** The sum of all size classes; its error is at most that of all together. */
  public Requested requestedBytes() {
    return new Requested(
        requestedInUse.stream().mapToLong(Requested::bytes).sum(),
        requestedInUse.stream().mapToLong(Requested::errorBytes).sum());
  }
}
