package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.IntColumn;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All allocations in a device's trace or its final state, in order of allocation.
 *
 * <pre>
 *   row   0 … liveBeforeCount-1       live before the first event, the longest-lived first
 *         liveBeforeCount … size-1    allocated in the trace, in event order
 *
 *   in the trace:  allocated | free requested | free completed | end     4 ints = 16 bytes a row;
 *                  address, size, stack, stream, pool are those of the trace's event
 *   live before the first event, or active in the final state: one record each
 * </pre>
 *
 * Sizes are requested bytes. The block size (rounded up) is known only for blocks that are still in
 * the final state; for others {@link SizeRules#roundedBytes} gives a lower bound.
 */
public final class Lifetimes {
  /** Instead of an event: before the first recorded event. */
  public static final int BEFORE_RECORDING = -1;

  /** Instead of an event: not before the end of the recording, or not recorded. */
  public static final int NEVER = Integer.MAX_VALUE;

  /** A size that was not recorded. */
  public static final long UNKNOWN = -1;

  private final Trace trace;
  private final List<EarlierAllocation> earlier;
  private final IntColumn allocated;
  private final IntColumn freeRequested;
  private final IntColumn freeCompleted;
  private final IntColumn end;
  private final List<FinalBlock> finalBlocks;
  private final List<Finding> findings;
  private final long unnamedBytes;
  // Computed when it is needed; two threads may both compute it.
  private volatile @Nullable LiveRows live;
  private volatile @Nullable PoolStates pool;

  Lifetimes(
      Trace trace,
      List<EarlierAllocation> earlier,
      IntColumn allocated,
      IntColumn freeRequested,
      IntColumn freeCompleted,
      IntColumn end,
      List<FinalBlock> finalBlocks,
      List<Finding> findings,
      long unnamedBytes) {
    this.trace = trace;
    this.earlier = List.copyOf(earlier);
    this.allocated = allocated;
    this.freeRequested = freeRequested;
    this.freeCompleted = freeCompleted;
    this.end = end;
    this.finalBlocks = List.copyOf(finalBlocks);
    this.findings = List.copyOf(findings);
    this.unnamedBytes = unnamedBytes;
  }

  /** Scans the trace once, then the blocks of the final state. */
  public static Lifetimes of(DeviceSnapshot device) {
    return new LifetimeScan(device).run();
  }

  /**
   * The states of the pool of a BFC allocator; computed once, as it takes a pass over all events.
   */
  PoolStates pool(DeviceSnapshot device) {
    PoolStates known = pool;
    if (known == null) {
      synchronized (this) {
        known = pool;
        if (known == null) {
          known = PoolStates.of(device);
          pool = known;
        }
      }
    }
    return known;
  }

  /** An allocation that was live before the first event. */
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

  /** The block in the final state of an allocation in the trace; ascending by index. */
  record FinalBlock(int index, long allocatedBytes, PoolId pool) {}

  /** Number of allocations; rows are 0 to this, exclusive. */
  public int size() {
    return earlier.size() + allocated.size();
  }

  /** Number of allocations that were live before the first event; these are the first rows. */
  public int liveBeforeCount() {
    return earlier.size();
  }

  /**
   * Bytes that were live before the first event and have no event of their own: the allocator's
   * total beside the events has them, and nothing says in how many allocations. They are one row.
   */
  public long unnamedBytes() {
    return unnamedBytes;
  }

  /** Whether a row stands for {@link #unnamedBytes}; it has no address. */
  public boolean isUnnamed(int row) {
    return unnamedBytes > 0 && row == 0;
  }

  /** First byte, unsigned. */
  public long address(int row) {
    return isEarlier(row) ? earlier.get(row).address : trace.address(allocated.get(index(row)));
  }

  /** Requested bytes, or {@link #UNKNOWN} (blocks before PyTorch 2.0). */
  public long requestedBytes(int row) {
    return isEarlier(row)
        ? earlier.get(row).requestedBytes
        : trace.bytes(allocated.get(index(row)));
  }

  /** Requested bytes, or the block size if the request is not recorded; used for charts. */
  public long bytes(int row) {
    if (!isEarlier(row)) {
      return trace.bytes(allocated.get(index(row)));
    }
    EarlierAllocation allocation = earlier.get(row);
    return allocation.requestedBytes == UNKNOWN
        ? allocation.allocatedBytes
        : allocation.requestedBytes;
  }

  /** The block size if the block is in the final state, or else {@link #UNKNOWN}. */
  public long allocatedBytes(int row) {
    if (isEarlier(row)) {
      return earlier.get(row).allocatedBytes;
    }
    FinalBlock block = finalBlock(row);
    return block == null ? UNKNOWN : block.allocatedBytes;
  }

  /** The block size of the final state, or else a lower bound by the size rules. */
  public long allocatedBytes(int row, SizeRules sizes) {
    long recordedBytes = end(row) == NEVER ? allocatedBytes(row) : UNKNOWN;
    return recordedBytes == UNKNOWN
        ? SizeRules.clamped(sizes.roundedBytes(bytes(row)))
        : recordedBytes;
  }

  /** The allocation event, or {@link #BEFORE_RECORDING}. */
  public int allocationEvent(int row) {
    return isEarlier(row) ? BEFORE_RECORDING : allocated.get(index(row));
  }

  /** The event of the client's free, or {@link #BEFORE_RECORDING} or {@link #NEVER}. */
  public int freeRequestedEvent(int row) {
    return isEarlier(row) ? earlier.get(row).freeRequested : freeRequested.get(index(row));
  }

  /** The event of the completed free, after which the memory is reusable, or {@link #NEVER}. */
  public int freeCompletedEvent(int row) {
    return isEarlier(row) ? earlier.get(row).freeCompleted : freeCompleted.get(index(row));
  }

  /**
   * The first event after which the allocation is no longer active, or {@link #NEVER}: the
   * completed free or, if completions were not recorded, the requested one.
   */
  public int endEvent(int row) {
    return end(row);
  }

  /** The allocating stack as an id in the snapshot's stack table; 0 if not recorded. */
  public int stack(int row) {
    return isEarlier(row) ? earlier.get(row).stack : trace.stack(allocated.get(index(row)));
  }

  public long stream(int row) {
    return isEarlier(row) ? earlier.get(row).stream : trace.stream(allocated.get(index(row)));
  }

  /** The pool, or null when not recorded. */
  public @Nullable PoolId pool(int row) {
    if (isEarlier(row)) {
      return earlier.get(row).pool;
    }
    PoolId recorded = trace.pool(allocated.get(index(row)));
    if (recorded != null) {
      return recorded;
    }
    FinalBlock block = finalBlock(row);
    return block == null ? null : block.pool;
  }

  public boolean hasStack(int row) {
    return stack(row) != StackTable.NONE;
  }

  /** Whether it is active after {@code event}. */
  public boolean isActiveAt(int row, int event) {
    return allocationEvent(row) <= event && event < end(row);
  }

  /** The allocations that are active after an event, in ascending order. */
  public int[] activeAt(int event) {
    LiveRows rows = live;
    if (rows == null) {
      rows = LiveRows.of(this);
      live = rows;
    }
    return rows.at(event);
  }

  /** Whether it was freed by its client but is still active after {@code event}. */
  public boolean isPendingAt(int row, int event) {
    return isActiveAt(row, event) && freeRequestedEvent(row) <= event;
  }

  /** Whether it was allocated at an event of the trace, and its free was never requested. */
  public boolean isNeverFreed(int row) {
    return !isEarlier(row) && freeRequestedEvent(row) == NEVER && end(row) == NEVER;
  }

  /** The first row allocated at or after an event; {@link #size()} if there is none. */
  public int firstAllocatedFrom(int event) {
    int low = 0;
    int high = allocated.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (allocated.get(middle) < event) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return earlier.size() + low;
  }

  /** The allocation that an event allocates or frees; empty for other events. */
  public OptionalInt allocationOf(int event) {
    return switch (trace.action(event)) {
      case ALLOC -> OptionalInt.of(firstAllocatedFrom(event));
      case FREE_REQUESTED, FREE_COMPLETED ->
          IntStream.range(0, firstAllocatedFrom(event))
              .filter(row -> freeRequestedEvent(row) == event || freeCompletedEvent(row) == event)
              .findFirst();
      default -> OptionalInt.empty();
    };
  }

  /** Contradictions among the events, and between the events and the final state. */
  public List<Finding> findings() {
    return findings;
  }

  private int end(int row) {
    return isEarlier(row) ? earlier.get(row).end : end.get(index(row));
  }

  private boolean isEarlier(int row) {
    return row < earlier.size();
  }

  private int index(int row) {
    return row - earlier.size();
  }

  private @Nullable FinalBlock finalBlock(int row) {
    int index = index(row);
    int low = 0;
    int high = finalBlocks.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      FinalBlock block = finalBlocks.get(middle);
      if (block.index == index) {
        return block;
      }
      if (block.index < index) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }
}
