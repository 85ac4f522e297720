package dev.vramscope.analysis.diff;

import dev.vramscope.analysis.diff.DiffRows.Group;
import dev.vramscope.analysis.diff.DiffRows.Held;
import dev.vramscope.analysis.diff.DiffRows.Row;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Bytes and counts of two devices under common numbers: of sites, or of stacks. Arrays, since a
 * file may have a million stacks.
 *
 * <pre>
 *   0 … size-1        common numbers of sites or stacks
 *   size, size + 1    without a stack: allocated in the recording, and before it
 * </pre>
 */
final class PairedTotals {
  private final int size;
  private final Side before;
  private final Side after;

  PairedTotals(int size, StackTotals before, StackTotals after) {
    this.size = size;
    this.before = new Side(before, size + 2);
    this.after = new Side(after, size + 2);
  }

  private static final class Side {
    private final StackTotals totals;
    private final long[] bytes;
    private final long[] counts;
    // The index in the totals of the stack with the most bytes.
    private final int[] stacks;

    Side(StackTotals totals, int length) {
      this.totals = totals;
      bytes = new long[length];
      counts = new long[length];
      stacks = new int[length];
    }

    void add(int number, int stack) {
      if (counts[number] == 0 || totals.bytes(stack) > totals.bytes(stacks[number])) {
        stacks[number] = stack;
      }
      bytes[number] += totals.bytes(stack);
      counts[number] += totals.count(stack);
    }

    @Nullable Held held(int number) {
      if (counts[number] == 0) {
        return null;
      }
      boolean isBefore = stacks[number] == totals.beforeRecording();
      return new Held(
          isBefore ? StackTable.NONE : stacks[number], isBefore, bytes[number], counts[number]);
    }
  }

  /** The common number of a stack that is not {@link StackTable#NONE}. */
  interface Numbering {
    int of(int stack);
  }

  void addBefore(Numbering numbers) {
    add(before, numbers);
  }

  void addAfter(Numbering numbers) {
    add(after, numbers);
  }

  private void add(Side side, Numbering numbers) {
    for (int stack = 0; stack < side.totals.size(); stack++) {
      if (side.totals.count(stack) > 0) {
        boolean isBefore = stack == side.totals.beforeRecording();
        boolean isNone = stack == StackTable.NONE;
        side.add(isBefore ? size + 1 : isNone ? size : numbers.of(stack), stack);
      }
    }
  }

  /** At most {@code limit} rows of each kind of difference, and the sums of all. */
  DiffRows rows(int limit) {
    Change[] changes = Change.values();
    long[] rowCounts = new long[changes.length];
    long[] beforeBytes = new long[changes.length];
    long[] afterBytes = new long[changes.length];
    List<Largest> largest = new ArrayList<>();
    for (Change change : changes) {
      largest.add(new Largest(change == Change.SAME ? 0 : limit));
    }
    for (int number = 0; number < size + 2; number++) {
      if (before.counts[number] > 0 || after.counts[number] > 0) {
        int change = change(number).ordinal();
        rowCounts[change]++;
        beforeBytes[change] += before.bytes[number];
        afterBytes[change] += after.bytes[number];
        largest.get(change).offer(number);
      }
    }
    List<Group> groups = new ArrayList<>();
    for (Change change : changes) {
      int i = change.ordinal();
      groups.add(
          new Group(change, largest.get(i).rows(), rowCounts[i], beforeBytes[i], afterBytes[i]));
    }
    return new DiffRows(groups);
  }

  private Change change(int number) {
    if (before.counts[number] == 0) {
      return Change.ADDED;
    }
    if (after.counts[number] == 0) {
      return Change.REMOVED;
    }
    int order = Long.compare(after.bytes[number], before.bytes[number]);
    return order == 0 ? Change.SAME : order > 0 ? Change.GROWN : Change.SHRUNK;
  }

  /** The rows with the largest differences. A row is made only if it may be one of them. */
  private final class Largest {
    private final int limit;
    private final PriorityQueue<Row> rows = new PriorityQueue<>(DiffRows.LARGEST_FIRST.reversed());

    Largest(int limit) {
      this.limit = limit;
    }

    void offer(int number) {
      Row least = rows.size() < limit ? null : rows.peek();
      long difference = Math.abs(after.bytes[number] - before.bytes[number]);
      if (limit == 0 || (least != null && difference < Math.abs(least.differenceBytes()))) {
        return;
      }
      rows.add(new Row(before.held(number), after.held(number)));
      if (rows.size() > limit) {
        rows.poll();
      }
    }

    List<Row> rows() {
      return rows.stream().sorted(DiffRows.LARGEST_FIRST).toList();
    }
  }
}
