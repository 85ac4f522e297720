package dev.vramscope.format.export;

import dev.vramscope.model.DeviceSnapshot;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * What a trace viewer shows of a device besides its events.
 *
 * @param device its events and annotations
 * @param activeBytes requested bytes of the active allocations after an event, {@link
 *     #BEFORE_RECORDING} included
 * @param reservedBytes reserved bytes after an event, {@link #BEFORE_RECORDING} included; negative
 *     if they are not known
 * @param largest the largest allocations
 * @param allocationCount how many allocations there are, with those that are not in {@code largest}
 */
public record DeviceTimeline(
    DeviceSnapshot device,
    IntToLongFunction activeBytes,
    IntToLongFunction reservedBytes,
    List<Allocation> largest,
    int allocationCount) {
  /** Instead of an event: before the first one. */
  public static final int BEFORE_RECORDING = -1;

  /** Instead of an event: not before the end of the recording. */
  public static final int NEVER = Integer.MAX_VALUE;

  public DeviceTimeline {
    largest = List.copyOf(largest);
  }

  /**
   * An allocation.
   *
   * @param site where it was allocated, as text; empty if no stack was recorded
   * @param address its first byte, unsigned
   * @param bytes requested
   * @param stack an id in the snapshot's stack table
   * @param from the event that allocated it, or {@link #BEFORE_RECORDING}
   * @param to the event after which it is no longer active, or {@link #NEVER}
   */
  public record Allocation(String site, long address, long bytes, int stack, int from, int to) {}
}
