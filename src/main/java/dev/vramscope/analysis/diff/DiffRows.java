package dev.vramscope.analysis.diff;

import dev.vramscope.model.StackTable;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The active allocations of two devices by site or by stack, in groups by how they differ. The
 * differences of all groups add up to that of the devices.
 *
 * @param groups one for each {@link Change}, in its order
 */
public record DiffRows(List<Group> groups) {
  /** The rows with the largest difference first; without one, those with the most bytes. */
  static final Comparator<Row> LARGEST_FIRST =
      Comparator.comparingLong((Row row) -> Math.abs(row.differenceBytes()))
          .thenComparingLong(row -> Held.bytesOf(row.before) + Held.bytesOf(row.after))
          .reversed()
          .thenComparingInt(row -> Held.stackOf(row.before))
          .thenComparingInt(row -> Held.stackOf(row.after));

  public DiffRows {
    groups = List.copyOf(groups);
  }

  /**
   * Rows with the same kind of difference.
   *
   * @param rows the largest differences; none for {@link Change#SAME}
   * @param rowCount number of all rows, including those that are not in {@code rows}
   * @param beforeBytes of all rows
   * @param afterBytes of all rows
   */
  public record Group(
      Change change, List<Row> rows, long rowCount, long beforeBytes, long afterBytes) {
    public Group {
      rows = List.copyOf(rows);
    }

    public long differenceBytes() {
      return afterBytes - beforeBytes;
    }
  }

  /** A site or stack; at least one side has active allocations of it. */
  public record Row(@Nullable Held before, @Nullable Held after) {
    public long differenceBytes() {
      return Held.bytesOf(after) - Held.bytesOf(before);
    }

    public Change change() {
      if (before == null) {
        return Change.ADDED;
      }
      if (after == null) {
        return Change.REMOVED;
      }
      int order = Long.compare(after.bytes, before.bytes);
      return order == 0 ? Change.SAME : order > 0 ? Change.GROWN : Change.SHRUNK;
    }
  }

  /**
   * The active allocations of one device.
   *
   * @param stack their stack or, of a site, the stack with the most bytes; {@link StackTable#NONE}
   *     without one
   * @param isBeforeRecording for allocations without a stack: whether they are older than the
   *     recording
   * @param bytes requested bytes
   * @param count number of allocations, at least 1
   */
  public record Held(int stack, boolean isBeforeRecording, long bytes, long count) {
    static long bytesOf(@Nullable Held held) {
      return held == null ? 0 : held.bytes;
    }

    static int stackOf(@Nullable Held held) {
      return held == null ? StackTable.NONE : held.stack;
    }
  }

  /** The rows with one kind of difference. */
  public Group group(Change change) {
    return groups.get(change.ordinal());
  }

  /** The rows without a difference. */
  public Group same() {
    return group(Change.SAME);
  }

  /** The rows of all groups that differ, the largest difference first. */
  public List<Row> largest() {
    return groups.stream().flatMap(group -> group.rows.stream()).sorted(LARGEST_FIRST).toList();
  }

  /** Number of sites or stacks whose bytes differ. */
  public long differentCount() {
    return groups.stream()
        .filter(group -> group.change != Change.SAME)
        .mapToLong(Group::rowCount)
        .sum();
  }

  /** The number of all rows. */
  public long count() {
    return differentCount() + same().rowCount();
  }
}
