package dev.vramscope.plan;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the nearest place from which two recordings go on with the same operations: both are read
 * ahead at the same pace until a row of operations of one has been seen in the other.
 */
final class NextMatch {
  /** Rows that recur are remembered at their first places only. */
  private static final long FACTOR = 1_000_003;

  private final PlannedOperations a;
  private final PlannedOperations b;
  private final int length;
  private long steps;

  /** Whether two recordings go on alike at two operations. */
  interface Check {
    boolean goOnAlike(int i, int j);
  }

  NextMatch(PlannedOperations a, PlannedOperations b, int length) {
    this.a = a;
    this.b = b;
    this.length = length;
  }

  long steps() {
    return steps;
  }

  int @Nullable [] find(int fromA, int fromB, Check check, long mostSteps) {
    Map<Long, Integer> seenA = new HashMap<>();
    Map<Long, Integer> seenB = new HashMap<>();
    int restA = a.count() - fromA - length;
    int restB = b.count() - fromB - length;
    for (int ahead = 0; ahead <= Math.max(restA, restB) && steps < mostSteps; ahead++) {
      steps += length;
      if (ahead <= restA) {
        int i = fromA + ahead;
        long gram = gram(a, i);
        seenA.putIfAbsent(gram, i);
        Integer j = seenB.get(gram);
        if (j != null && check.goOnAlike(i, j)) {
          return new int[] {i, j};
        }
      }
      if (ahead <= restB) {
        int j = fromB + ahead;
        long gram = gram(b, j);
        seenB.putIfAbsent(gram, j);
        Integer i = seenA.get(gram);
        if (i != null && check.goOnAlike(i, j)) {
          return new int[] {i, j};
        }
      }
    }
    return null;
  }

  private long gram(PlannedOperations of, int from) {
    long gram = 0;
    for (int i = 0; i < length; i++) {
      gram = gram * FACTOR + of.key(from + i);
    }
    return gram;
  }
}
