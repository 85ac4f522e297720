package dev.vramscope.analysis.segments;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * The allocations that had the memory of an allocation before and after it, and those beside it.
 * Block sizes are lower bounds where they are not recorded, so a tenant of a block's tail may be
 * missing.
 *
 * @param before the rows that ended before the allocation began, the last one first
 * @param beforeCount how many there are; {@code before} may have only the last
 * @param after the rows that began after the allocation ended, the first one first
 * @param afterCount how many there are
 * @param below the row that was active at the nearest lower address when the allocation began
 * @param above the row that was active at the nearest higher address
 */
public record MemoryNeighbours(
    List<Integer> before,
    long beforeCount,
    List<Integer> after,
    long afterCount,
    OptionalInt below,
    OptionalInt above) {
  public MemoryNeighbours {
    before = List.copyOf(before);
    after = List.copyOf(after);
  }

  /**
   * Scans all allocations once.
   *
   * @param limit the largest number of rows before, and after
   */
  public static MemoryNeighbours of(Lifetimes lifetimes, SizeRules sizes, int row, int limit) {
    long start = lifetimes.address(row);
    long end = start + lifetimes.allocatedBytes(row, sizes);
    List<Integer> before = new ArrayList<>();
    List<Integer> after = new ArrayList<>();
    for (int other = 0; other < lifetimes.size(); other++) {
      long first = lifetimes.address(other);
      if (other != row
          && Long.compareUnsigned(first, end) < 0
          && Long.compareUnsigned(start, first + lifetimes.allocatedBytes(other, sizes)) < 0) {
        if (lifetimes.endEvent(other) <= lifetimes.allocationEvent(row)) {
          before.add(other);
        } else if (lifetimes.allocationEvent(other) >= lifetimes.endEvent(row)) {
          after.add(other);
        }
      }
    }
    before.sort(Comparator.comparingInt(lifetimes::endEvent).reversed());
    int moment = lifetimes.allocationEvent(row);
    return new MemoryNeighbours(
        before.subList(0, Math.min(limit, before.size())),
        before.size(),
        after.subList(0, Math.min(limit, after.size())),
        after.size(),
        nearest(lifetimes, moment, row, -1),
        nearest(lifetimes, moment, row, 1));
  }

  /** The active row at the nearest address on one side. */
  private static OptionalInt nearest(Lifetimes lifetimes, int event, int row, int side) {
    long own = lifetimes.address(row);
    int nearest = -1;
    for (int other : lifetimes.activeAt(event)) {
      long address = lifetimes.address(other);
      boolean isOnSide = Long.signum(Long.compareUnsigned(address, own)) == side;
      if (isOnSide
          && (nearest < 0
              || Long.compareUnsigned(address, lifetimes.address(nearest)) * side < 0)) {
        nearest = other;
      }
    }
    return nearest < 0 ? OptionalInt.empty() : OptionalInt.of(nearest);
  }
}
