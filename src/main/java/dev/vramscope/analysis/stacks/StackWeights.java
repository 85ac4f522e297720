package dev.vramscope.analysis.stacks;

import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;

/**
 * An amount of memory for each stack of a snapshot, with the number of allocations that it is made
 * of. Sums of bytes are exact below 2^53.
 */
public final class StackWeights {
  private final double[] amounts;
  private final int[] counts;

  private StackWeights(int stackCount) {
    amounts = new double[stackCount];
    counts = new int[stackCount];
  }

  /** Requested bytes of the allocations that are active after an event. */
  public static StackWeights live(Lifetimes lifetimes, StackTable stacks, int event) {
    StackWeights weights = new StackWeights(stacks.nodeCount());
    for (int row : lifetimes.activeAt(event)) {
      weights.add(lifetimes.stack(row), (double) lifetimes.bytes(row));
    }
    return weights;
  }

  /** Requested bytes that were allocated at an event of the trace and never freed. */
  public static StackWeights neverFreed(Lifetimes lifetimes, StackTable stacks) {
    StackWeights weights = new StackWeights(stacks.nodeCount());
    for (int row = lifetimes.liveBeforeCount(); row < lifetimes.size(); row++) {
      if (lifetimes.isNeverFreed(row)) {
        weights.add(lifetimes.stack(row), (double) lifetimes.bytes(row));
      }
    }
    return weights;
  }

  /** Requested bytes of all allocations at the events of a window. */
  public static StackWeights allocated(Lifetimes lifetimes, StackTable stacks, EventWindow window) {
    StackWeights weights = new StackWeights(stacks.nodeCount());
    int end = lifetimes.firstAllocatedFrom(window.to());
    for (int row = lifetimes.firstAllocatedFrom(window.from()); row < end; row++) {
      weights.add(lifetimes.stack(row), (double) lifetimes.bytes(row));
    }
    return weights;
  }

  /**
   * Requested bytes times the number of events of a window after which they were active: what held
   * memory for long, rather than at one moment.
   */
  public static StackWeights held(Lifetimes lifetimes, StackTable stacks, EventWindow window) {
    StackWeights weights = new StackWeights(stacks.nodeCount());
    int last = lifetimes.firstAllocatedFrom(window.to());
    for (int row = 0; row < last; row++) {
      long from = Math.max(window.from(), lifetimes.allocationEvent(row));
      long to = Math.min(window.to(), lifetimes.endEvent(row));
      if (from < to) {
        weights.add(lifetimes.stack(row), (double) lifetimes.bytes(row) * (to - from));
      }
    }
    return weights;
  }

  /**
   * Free bytes inside the segments of a state, by the stack of the allocation that had them last.
   * Bytes that no recorded allocation had count for {@link StackTable#NONE}.
   */
  public static StackWeights lastHolders(
      DeviceSnapshot device,
      AllocatorState state,
      Lifetimes lifetimes,
      SizeRules sizes,
      StackTable stacks) {
    StackWeights weights = new StackWeights(stacks.nodeCount());
    FreeRanges free = new FreeRanges();
    for (Segment segment : state.segments()) {
      for (Block block : segment.blocks()) {
        if (!block.isActive()) {
          free.add(block.address(), block.end());
        }
      }
    }
    int[] endedAt = rowsByEnd(device.trace(), lifetimes, state.event());
    for (int event = endedAt.length - 1; event >= 0 && !free.isEmpty(); event--) {
      int row = endedAt[event] - 1;
      if (row >= 0) {
        long address = lifetimes.address(row);
        long bytes = free.take(address, address + lifetimes.allocatedBytes(row, sizes));
        if (bytes > 0) {
          weights.add(lifetimes.stack(row), (double) bytes);
        }
      }
    }
    if (free.bytes() > 0) {
      weights.add(StackTable.NONE, (double) free.bytes());
    }
    return weights;
  }

  /** For each event up to {@code last}, one more than the row that it ends; 0 if it ends none. */
  private static int[] rowsByEnd(Trace trace, Lifetimes lifetimes, int last) {
    int[] rows = new int[Math.min(trace.size(), last + 1)];
    for (int row = 0; row < lifetimes.size(); row++) {
      int end = lifetimes.endEvent(row);
      if (end < rows.length) {
        rows[end] = row + 1;
      }
    }
    return rows;
  }

  private void add(int stack, double amount) {
    amounts[stack] += amount;
    counts[stack]++;
  }

  public double amount(int stack) {
    return amounts[stack];
  }

  /** Number of allocations. */
  public int count(int stack) {
    return counts[stack];
  }

  public int stackCount() {
    return amounts.length;
  }

  /** The sum over the stacks that a search finds. */
  public double total(StackSearch search) {
    double total = 0;
    for (int stack = 0; stack < amounts.length; stack++) {
      if (search.matches(stack)) {
        total += amounts[stack];
      }
    }
    return total;
  }

  /** The sum over all stacks. */
  public double total() {
    double total = 0;
    for (double amount : amounts) {
      total += amount;
    }
    return total;
  }
}
