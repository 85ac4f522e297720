package dev.vramscope.format.profiler;

import dev.vramscope.model.AllocatorFacts.RecordedTotals;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * PyTorch's own totals beside the events of a device: {@code Total Allocated} and {@code Total
 * Reserved}, each after its event. What was allocated before the first event follows from them, and
 * whether each later total is the sum of the events.
 */
final class EventTotals {
  private final List<RecordedTotals.Reserved> reserved = new ArrayList<>();
  private long beforeBytes = -1;
  private long changeBytes;
  private long mostReserved;
  private long differing;
  private long greatestDifference;

  /**
   * Adds an event, in the order of time.
   *
   * @param change the bytes of the event; negative for a free, 0 for a failed request
   * @param allocated the total after it; negative if there is none
   * @param held reserved after it; negative if there is none
   */
  void add(int event, long change, long allocated, long held) {
    changeBytes += change;
    if (allocated >= 0) {
      if (beforeBytes < 0) {
        beforeBytes = Math.max(0, allocated - changeBytes);
      }
      long difference = Math.abs(allocated - (beforeBytes + changeBytes));
      differing += difference == 0 ? 0 : 1;
      greatestDifference = Math.max(greatestDifference, difference);
    }
    // A total of 0 beside live memory is that of an allocator which does not count it.
    if (held > 0 && (reserved.isEmpty() || reserved.getLast().bytes() != held)) {
      reserved.add(new RecordedTotals.Reserved(event, held));
      mostReserved = Math.max(mostReserved, held);
    }
  }

  /** The totals; empty if the events have none. */
  Optional<RecordedTotals> recorded() {
    return beforeBytes < 0
        ? Optional.empty()
        : Optional.of(new RecordedTotals(beforeBytes, reserved));
  }

  void addFindings(int ordinal, List<Finding> findings) {
    if (mostReserved > 0) {
      findings.add(FindingKind.PROFILER_RESERVED.finding(1, ordinal, mostReserved));
    }
    if (beforeBytes > 0) {
      findings.add(FindingKind.PROFILER_BEFORE.finding(1, ordinal, beforeBytes));
    }
    if (differing > 0) {
      findings.add(
          FindingKind.PROFILER_TOTALS_DIFFER.finding(
              differing, ordinal, differing, greatestDifference));
    }
  }
}
