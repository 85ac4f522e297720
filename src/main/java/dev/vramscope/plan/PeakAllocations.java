package dev.vramscope.plan;

import dev.vramscope.whatif.RecordedRun;
import java.util.BitSet;

/**
 * The allocations that are live when the requested bytes of a run are highest.
 *
 * @param operation at which they are
 * @param allocations the operations that allocated them; a block that waits for another stream is
 *     live
 */
record PeakAllocations(int operation, long bytes, BitSet allocations) {
  static PeakAllocations of(RecordedRun run, PlannedOperations operations) {
    long live = 0;
    long most = 0;
    int peak = -1;
    for (int i = 0; i < run.operations(); i++) {
      live += change(run, operations, i);
      if (live > most) {
        most = live;
        peak = i;
      }
    }
    BitSet allocations = new BitSet(run.operations());
    for (int i = 0; i <= peak; i++) {
      long change = change(run, operations, i);
      if (change > 0) {
        allocations.set(operations.subject(i));
      } else if (change < 0) {
        allocations.clear(operations.subject(i));
      }
    }
    return new PeakAllocations(peak, most, allocations);
  }

  private static long change(RecordedRun run, PlannedOperations operations, int operation) {
    return switch (run.kind(operation)) {
      case RecordedRun.ALLOCATE -> run.bytes(operation);
      case RecordedRun.FREE, RecordedRun.COMPLETE -> -run.bytes(operations.subject(operation));
      default -> 0;
    };
  }
}
