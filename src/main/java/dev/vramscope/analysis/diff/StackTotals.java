package dev.vramscope.analysis.diff;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.StackTable;

/**
 * The active allocations of a device after an event, summed by stack.
 *
 * <pre>
 *   0 … nodeCount-1   by stack; 0 without a stack, allocated in the recording
 *   nodeCount         without a stack, from before the recording
 * </pre>
 */
final class StackTotals {
  private final long[] bytes;
  private final long[] counts;

  private StackTotals(int size) {
    bytes = new long[size];
    counts = new long[size];
  }

  static StackTotals of(DeviceMoment moment) {
    Lifetimes lifetimes = moment.lifetimes();
    int before = moment.stacks().stacks().nodeCount();
    StackTotals totals = new StackTotals(before + 1);
    int end = lifetimes.firstAllocatedFrom(moment.event() + 1);
    for (int row = 0; row < end; row++) {
      if (lifetimes.endEvent(row) > moment.event()) {
        int stack = lifetimes.stack(row);
        boolean isBefore = stack == StackTable.NONE && row < lifetimes.liveBeforeCount();
        int index = isBefore ? before : stack;
        totals.bytes[index] += lifetimes.bytes(row);
        totals.counts[index]++;
      }
    }
    return totals;
  }

  /** The index of the allocations without a stack from before the recording. */
  int beforeRecording() {
    return bytes.length - 1;
  }

  int size() {
    return bytes.length;
  }

  long bytes(int index) {
    return bytes[index];
  }

  /** Number of allocations. */
  long count(int index) {
    return counts[index];
  }

  long totalCount() {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    return total;
  }
}
