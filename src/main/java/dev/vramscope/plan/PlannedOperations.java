package dev.vramscope.plan;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.whatif.RecordedRun;

/**
 * What identifies the operations of a run in other recordings of the same program, except their
 * sizes. A free is identified by the allocation that it frees.
 *
 * <pre>
 *   operation   subject                      key
 *   ALLOCATE    itself                       kind, stream, pool, stack
 *   FREE        the allocation of its block  kind, key of the subject
 *   COMPLETE    the allocation of its block  kind
 *   others      none                         kind, pool
 * </pre>
 */
final class PlannedOperations {
  static final int NO_SUBJECT = -1;

  /** Of the blocks of a kernel that count each other. */
  private static final int MOST_COUNTER_BYTES = 256 << 10;

  private final RecordedRun run;
  private final long[] keys;
  private final int[] subjects;
  private final boolean[] hasStack;
  private final int earlier;

  /**
   * Identifies the operations of a run.
   *
   * @param entry the innermost node of the stacks that is above the program
   */
  PlannedOperations(RecordedRun run, Trace trace, StackTable stacks, int entry) {
    this.run = run;
    int count = run.operations();
    keys = new long[count];
    subjects = new int[count];
    hasStack = new boolean[count];
    StackHashes identity = new StackHashes(stacks, entry);
    int[] liveInSlot = new int[run.slotCount()];
    int[] pendingOnStream = new int[run.streamCount()];
    int before = 0;
    for (int i = 0; i < count; i++) {
      byte kind = run.kind(i);
      subjects[i] = NO_SUBJECT;
      switch (kind) {
        case RecordedRun.ALLOCATE, RecordedRun.FAIL, RecordedRun.FAIL_IN_CAPTURE -> {
          boolean isEarlier = run.event(i) == Lifetimes.BEFORE_RECORDING;
          int stack = isEarlier ? StackTable.NONE : trace.stack(run.event(i));
          before += isEarlier ? 1 : 0;
          hasStack[i] = stack != StackTable.NONE;
          keys[i] = key(kind, run.stream(i), run.poolNumber(i), identity.of(stack));
          subjects[i] = i;
          if (run.slot(i) >= 0) {
            liveInSlot[run.slot(i)] = i;
          }
        }
        case RecordedRun.FREE, RecordedRun.FREE_PENDING -> {
          int subject = liveInSlot[run.slot(i)];
          subjects[i] = subject;
          hasStack[i] = hasStack[subject];
          keys[i] = key(kind, 0, 0, keys[subject]);
          if (kind == RecordedRun.FREE_PENDING) {
            pendingOnStream[run.stream(i)] = subject;
          }
        }
        case RecordedRun.COMPLETE -> {
          subjects[i] = pendingOnStream[run.stream(i)];
          keys[i] = key(kind, 0, 0, 0);
        }
        default -> keys[i] = key(kind, 0, run.poolNumber(i), 0);
      }
    }
    earlier = before;
  }

  private static long key(byte kind, int stream, int pool, long stack) {
    return StackHashes.mixed(stack + 31L * (kind + 16L * (stream + 4096L * pool)));
  }

  int count() {
    return keys.length;
  }

  /** Allocations from before the recording; they are the first operations. */
  int earlier() {
    return earlier;
  }

  long key(int operation) {
    return keys[operation];
  }

  /** The operation that allocated the block of an operation, or {@link #NO_SUBJECT}. */
  int subject(int operation) {
    return subjects[operation];
  }

  /** The size of the block of an operation; 0 without a block. */
  long bytes(int operation) {
    int subject = subjects[operation];
    return subject == NO_SUBJECT ? 0 : run.bytes(subject);
  }

  /** Whether the block of an operation was allocated with a recorded stack. */
  boolean hasStack(int operation) {
    return hasStack[operation];
  }

  boolean isAllocation(int operation) {
    return run.kind(operation) == RecordedRun.ALLOCATE;
  }

  /**
   * By operation: whether it allocates the workspace of a kernel that reduces in several blocks.
   * Such a kernel has its workspace and some counters, and frees both at once.
   */
  boolean[] areWorkspaces() {
    boolean[] workspaces = new boolean[keys.length];
    for (int i = earlier; i + 3 < keys.length; i++) {
      workspaces[i] =
          isAllocation(i)
              && isAllocation(i + 1)
              && bytes(i + 1) <= MOST_COUNTER_BYTES
              && bytes(i) > bytes(i + 1)
              && isFree(i + 2)
              && isFree(i + 3)
              && subjects[i + 2] + subjects[i + 3] == 2 * i + 1;
    }
    return workspaces;
  }

  boolean isFree(int operation) {
    return run.kind(operation) == RecordedRun.FREE
        || run.kind(operation) == RecordedRun.FREE_PENDING;
  }
}
