package dev.vramscope.model;

import java.util.List;

/**
 * The allocator's own totals beside the events of a trace without segments.
 *
 * @param allocatedBefore allocated before the first event, whether the trace frees it or not
 * @param reserved what the allocator held: the events after which it changed, ascending; empty if
 *     it is not recorded
 */
public record RecordedTotals(long allocatedBefore, List<Reserved> reserved) {
  /**
   * What the allocator held after an event, and until the next of the list.
   *
   * @param event its number in the trace
   */
  public record Reserved(int event, long bytes) {}

  public RecordedTotals {
    reserved = List.copyOf(reserved);
    if (allocatedBefore < 0 || reserved.stream().anyMatch(each -> each.bytes < 0)) {
      throw new IllegalArgumentException("totals must not be negative");
    }
  }
}
