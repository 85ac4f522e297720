package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Finding;
import dev.vramscope.model.IntColumn;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every allocation that a device's trace or its final state shows, ordered by birth.
 *
 * <pre>
 *   row   0 … liveBeforeCount-1        alive before the first event: those that live longest first
 *         liveBeforeCount … size-1     born in the trace, in event order
 *
 *   born in the trace:  born | free requested | free completed | end     4 ints = 16 bytes a row;
 *                       address, size, stack, stream, pool are those of the trace's event
 *   alive before, or active in the final state: one record each
 * </pre>
 *
 * Sizes are requested bytes. The block's size (rounded up) is known only for what the final state
 * still shows; for others {@link SizeRules#roundedBytes} gives its least value.
 */
public final class Lifetimes {
  /** The event of something that happened before the first recorded one. */
  public static final int BEFORE_RECORDING = -1;

  /** The event of something that had not happened by the end, or was not recorded. */
  public static final int NEVER = Integer.MAX_VALUE;

  /** A size that was not recorded. */
  public static final long UNKNOWN = -1;

  private final Trace trace;
  private final List<EarlierAllocation> before;
  private final IntColumn born;
  private final IntColumn freeRequested;
  private final IntColumn freeCompleted;
  private final IntColumn end;
  private final List<Shown> shown;
  private final List<Finding> findings;

  Lifetimes(
      Trace trace,
      List<EarlierAllocation> before,
      IntColumn born,
      IntColumn freeRequested,
      IntColumn freeCompleted,
      IntColumn end,
      List<Shown> shown,
      List<Finding> findings) {
    this.trace = trace;
    this.before = List.copyOf(before);
    this.born = born;
    this.freeRequested = freeRequested;
    this.freeCompleted = freeCompleted;
    this.end = end;
    this.shown = List.copyOf(shown);
    this.findings = List.copyOf(findings);
  }

  /** One pass over the trace, then over the final blocks. */
  public static Lifetimes of(DeviceSnapshot device) {
    return new LifetimeScan(device).run();
  }

  /** An allocation that was alive before the first event. */
  record EarlierAllocation(
      long address,
      long requestedBytes,
      long allocatedBytes,
      int freeRequested,
      int freeCompleted,
      int end,
      int stack,
      long stream,
      @Nullable PoolId pool) {}

  /** An allocation born in the trace that the final state shows; ascending by index. */
  record Shown(int index, long allocatedBytes, PoolId pool) {}

  /** Number of allocations; rows are 0 to this, exclusive. */
  public int size() {
    return before.size() + born.size();
  }

  /** How many were alive before the first event: the first rows. */
  public int liveBeforeCount() {
    return before.size();
  }

  /** First byte, unsigned. */
  public long address(int row) {
    return isBefore(row) ? before.get(row).address : trace.address(born.get(index(row)));
  }

  /** What the client asked for, or {@link #UNKNOWN} (a block of PyTorch before 2.0). */
  public long requestedBytes(int row) {
    return isBefore(row) ? before.get(row).requestedBytes : trace.bytes(born.get(index(row)));
  }

  /** Requested bytes, or the block's where the request is not recorded: what charts count. */
  public long bytes(int row) {
    if (!isBefore(row)) {
      return trace.bytes(born.get(index(row)));
    }
    EarlierAllocation found = before.get(row);
    return found.requestedBytes == UNKNOWN ? found.allocatedBytes : found.requestedBytes;
  }

  /** The block's size where the final state shows it, else {@link #UNKNOWN}. */
  public long allocatedBytes(int row) {
    if (isBefore(row)) {
      return before.get(row).allocatedBytes;
    }
    Shown found = shown(row);
    return found == null ? UNKNOWN : found.allocatedBytes;
  }

  /** The block's size: that of the final state, or else by the rules, a lower bound. */
  public long allocatedBytes(int row, SizeRules sizes) {
    long known = end(row) == NEVER ? allocatedBytes(row) : UNKNOWN;
    return known == UNKNOWN ? SizeRules.clamped(sizes.roundedBytes(bytes(row))) : known;
  }

  /** The event that handed it out, or {@link #BEFORE_RECORDING}. */
  public int allocationEvent(int row) {
    return isBefore(row) ? BEFORE_RECORDING : born.get(index(row));
  }

  /** The event of the client's free, {@link #BEFORE_RECORDING} or {@link #NEVER}. */
  public int freeRequestedEvent(int row) {
    return isBefore(row) ? before.get(row).freeRequested : freeRequested.get(index(row));
  }

  /** The event that made the bytes usable again, or {@link #NEVER}. */
  public int freeCompletedEvent(int row) {
    return isBefore(row) ? before.get(row).freeCompleted : freeCompleted.get(index(row));
  }

  /**
   * The event from which it is no longer active, or {@link #NEVER}. The completed free; where
   * completions were not recorded, the requested one.
   */
  public int endEvent(int row) {
    return end(row);
  }

  /** Where it was allocated, an id in the snapshot's stack table; 0 when not recorded. */
  public int stack(int row) {
    return isBefore(row) ? before.get(row).stack : trace.stack(born.get(index(row)));
  }

  public long stream(int row) {
    return isBefore(row) ? before.get(row).stream : trace.stream(born.get(index(row)));
  }

  /** The pool, or null when not recorded. */
  public @Nullable PoolId pool(int row) {
    if (isBefore(row)) {
      return before.get(row).pool;
    }
    PoolId recorded = trace.pool(born.get(index(row)));
    if (recorded != null) {
      return recorded;
    }
    Shown found = shown(row);
    return found == null ? null : found.pool;
  }

  public boolean hasStack(int row) {
    return stack(row) != StackTable.NONE;
  }

  /** Whether it is active after {@code event}. */
  public boolean isActiveAt(int row, int event) {
    return allocationEvent(row) <= event && event < end(row);
  }

  /** Whether its client freed it but it is still active after {@code event}. */
  public boolean isPendingAt(int row, int event) {
    return isActiveAt(row, event) && freeRequestedEvent(row) <= event;
  }

  /** The first row born at or after an event; {@link #size()} when none is. */
  public int firstAllocatedFrom(int event) {
    int low = 0;
    int high = born.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (born.get(middle) < event) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return before.size() + low;
  }

  /** Contradictions between the events, and between them and the final state. */
  public List<Finding> findings() {
    return findings;
  }

  private int end(int row) {
    return isBefore(row) ? before.get(row).end : end.get(index(row));
  }

  private boolean isBefore(int row) {
    return row < before.size();
  }

  private int index(int row) {
    return row - before.size();
  }

  private @Nullable Shown shown(int row) {
    int index = index(row);
    int low = 0;
    int high = shown.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Shown found = shown.get(middle);
      if (found.index == index) {
        return found;
      }
      if (found.index < index) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }
}
