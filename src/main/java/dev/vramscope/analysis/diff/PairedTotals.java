package dev.vramscope.analysis.diff;

import dev.vramscope.analysis.diff.DiffRows.Group;
import dev.vramscope.analysis.diff.DiffRows.Held;
import dev.vramscope.analysis.diff.DiffRows.Row;
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

  PairedTotals(int size) {
    this.size = size;
    before = new Side(size + 2);
    after = new Side(size + 2);
  }

  private static final class Side {
    private final long[] bytes;
    private final long[] counts;
    private final int[] stacks;
    private final long[] largest;

    Side(int length) {
      bytes = new long[length];
      counts = new long[length];
      stacks = new int[length];
      largest = new long[length];
    }

    void add(int number, int stack, long addedBytes, long addedCount) {
      if (counts[number] == 0 || addedBytes > largest[number]) {
        largest[number] = addedBytes;
        stacks[number] = stack;
      }
      bytes[number] += addedBytes;
      counts[number] += addedCount;
    }

    @Nullable Held held(int number, boolean isBeforeRecording) {
      return counts[number] == 0
          ? null
          : new Held(stacks[number], isBeforeRecording, bytes[number], counts[number]);
    }
  }

  /** The common number of a stack that is not {@link dev.vramscope.model.StackTable#NONE}. */
  interface Numbering {
    int of(int stack);
  }

  void addBefore(StackTotals totals, Numbering numbers) {
    add(before, totals, numbers);
  }

  void addAfter(StackTotals totals, Numbering numbers) {
    add(after, totals, numbers);
  }

  private void add(Side side, StackTotals totals, Numbering numbers) {
    for (int stack = 0; stack < totals.size(); stack++) {
      if (totals.count(stack) > 0) {
        boolean isBefore = stack == totals.beforeRecording();
        int number = isBefore ? size + 1 : stack == 0 ? size : numbers.of(stack);
        side.add(number, isBefore ? 0 : stack, totals.bytes(stack), totals.count(stack));
      }
    }
  }

  /** At most {@code limit} rows of each kind of difference, and the sums of all. */
  DiffRows rows(int limit) {
    Change[] changes = Change.values();
    long[] rowCounts = new long[changes.length];
    long[] beforeBytes = new long[changes.length];
    long[] afterBytes = new long[changes.length];
    List<PriorityQueue<Row>> largest = new ArrayList<>();
    for (int i = 0; i < changes.length; i++) {
      largest.add(new PriorityQueue<>(DiffRows.LARGEST_FIRST.reversed()));
    }
    for (int number = 0; number < size + 2; number++) {
      if (before.counts[number] == 0 && after.counts[number] == 0) {
        continue;
      }
      boolean isBefore = number == size + 1;
      Row row = new Row(before.held(number, isBefore), after.held(number, isBefore));
      int change = row.change().ordinal();
      rowCounts[change]++;
      beforeBytes[change] += before.bytes[number];
      afterBytes[change] += after.bytes[number];
      PriorityQueue<Row> rows = largest.get(change);
      if (row.change() != Change.SAME) {
        rows.add(row);
        if (rows.size() > limit) {
          rows.poll();
        }
      }
    }
    List<Group> groups = new ArrayList<>();
    for (Change change : changes) {
      int i = change.ordinal();
      groups.add(
          new Group(
              change,
              largest.get(i).stream().sorted(DiffRows.LARGEST_FIRST).toList(),
              rowCounts[i],
              beforeBytes[i],
              afterBytes[i]));
    }
    return new DiffRows(groups);
  }
}
