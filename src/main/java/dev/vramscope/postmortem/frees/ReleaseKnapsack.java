package dev.vramscope.postmortem.frees;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses the units of memory with the least live bytes that together have at least the needed
 * size: for each unit and each size up to the needed one, the least cost of that size with the
 * units so far. The cost of a page depends on whether the page before it is chosen, because a block
 * that both share is freed once.
 */
final class ReleaseKnapsack {
  /** More than any cost; sums with a cost do not overflow. */
  private static final long IMPOSSIBLE = Long.MAX_VALUE / 4;

  private final List<ReleaseUnit> units;
  private final long step;
  private final int needed;

  /** Costs by size in steps, if the last unit is not chosen, and if it is. */
  private final long[] without;

  private final long[] with;

  /** Per unit, whether the unit before it is chosen: at bit 2k if it is not itself, else 2k + 1. */
  private final long[][] choices;

  /**
   * A choice among units.
   *
   * @param step sizes are multiples of it: those of units rounded down, the needed size up
   */
  ReleaseKnapsack(List<ReleaseUnit> units, long neededBytes, long step) {
    this.units = units;
    this.step = step;
    needed = Math.toIntExact(Math.ceilDiv(neededBytes, step));
    without = new long[needed + 1];
    with = new long[needed + 1];
    choices = new long[units.size()][];
  }

  /** The cheapest units, in their order; empty if all together are too small. */
  List<ReleaseUnit> cheapest() {
    Arrays.fill(without, 1, needed + 1, IMPOSSIBLE);
    Arrays.fill(with, IMPOSSIBLE);
    for (int unit = 0; unit < units.size(); unit++) {
      choices[unit] =
          add(units.get(unit), unit > 0 && units.get(unit).follows(units.get(unit - 1)));
    }
    return Math.min(without[needed], with[needed]) >= IMPOSSIBLE ? List.of() : chosenUnits();
  }

  private long[] add(ReleaseUnit unit, boolean isFollowing) {
    long[] choice = new long[(2 * needed + 1) / Long.SIZE + 1];
    int size = size(unit);
    long following = isFollowing ? unit.followingCostBytes() : unit.costBytes();
    for (int k = needed; k >= 0; k--) {
      int rest = Math.max(0, k - size);
      long afterNone = without[rest] + unit.costBytes();
      long afterOther = with[rest] + following;
      if (with[k] < without[k]) {
        without[k] = with[k];
        set(choice, 2 * k);
      }
      if (afterOther < afterNone) {
        set(choice, 2 * k + 1);
      }
      with[k] = Math.min(IMPOSSIBLE, Math.min(afterNone, afterOther));
    }
    return choice;
  }

  private List<ReleaseUnit> chosenUnits() {
    List<ReleaseUnit> chosenUnits = new ArrayList<>();
    int k = needed;
    boolean isChosen = with[needed] < without[needed];
    for (int unit = units.size() - 1; unit >= 0; unit--) {
      boolean isBeforeChosen = isSet(choices[unit], 2 * k + (isChosen ? 1 : 0));
      if (isChosen) {
        chosenUnits.add(units.get(unit));
        k = Math.max(0, k - size(units.get(unit)));
      }
      isChosen = isBeforeChosen;
    }
    return chosenUnits.reversed();
  }

  private int size(ReleaseUnit unit) {
    return (int) Math.min(needed, unit.bytes() / step);
  }

  private static void set(long[] bits, int bit) {
    bits[bit >>> 6] |= 1L << bit;
  }

  private static boolean isSet(long[] bits, int bit) {
    return (bits[bit >>> 6] & (1L << bit)) != 0;
  }
}
