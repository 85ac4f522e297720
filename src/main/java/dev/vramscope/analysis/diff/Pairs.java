package dev.vramscope.analysis.diff;

import java.util.HashMap;
import java.util.Map;

/**
 * Finds what exists once on each of two sides, by place: a place with several entries on a side
 * gives no pair, since it is not clear which one belongs to which.
 */
final class Pairs {
  private static final int NONE = -1;
  private static final int SEVERAL = -2;

  /** An entry of each side, or {@link #NONE} or {@link #SEVERAL}. */
  private static final class Pair {
    private int before = NONE;
    private int after = NONE;
  }

  /** Receives an entry of each side. */
  interface Action {
    void accept(SourcePlace place, int before, int after);
  }

  private final Map<SourcePlace, Pair> pairs = new HashMap<>();

  void addBefore(SourcePlace place, int entry) {
    Pair pair = pairs.computeIfAbsent(place, _ -> new Pair());
    pair.before = pair.before == NONE ? entry : SEVERAL;
  }

  void addAfter(SourcePlace place, int entry) {
    Pair pair = pairs.computeIfAbsent(place, _ -> new Pair());
    pair.after = pair.after == NONE ? entry : SEVERAL;
  }

  void forEach(Action action) {
    pairs.forEach(
        (place, pair) -> {
          if (pair.before >= 0 && pair.after >= 0) {
            action.accept(place, pair.before, pair.after);
          }
        });
  }
}
