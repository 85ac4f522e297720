package dev.vramscope.plan;

import dev.vramscope.whatif.RecordedRun;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether a recording has a steady step: operations that recur with the same sizes while the same
 * number of bytes is live. The first step of a training program is not steady, since the state of
 * the optimizer appears in it; a recording of one step has none.
 *
 * @param isFound whether most operations of some period recur
 * @param operations of a step
 */
record SteadyStep(boolean isFound, int operations) {
  /** Operations in a row that have to be the same. */
  private static final int ROW = 16;

  private static final long FACTOR = 1_000_003;

  static SteadyStep of(RecordedRun run, PlannedOperations operations) {
    int count = run.operations();
    long[] states = states(run, operations);
    long power = 1;
    for (int i = 0; i < ROW; i++) {
      power *= FACTOR;
    }
    Map<Long, Integer> last = new HashMap<>();
    // By distance: how many rows of operations recur at it.
    Map<Integer, Integer> recurring = new HashMap<>();
    long hash = 0;
    for (int i = 0; i < count; i++) {
      hash = hash * FACTOR + states[i] - (i >= ROW ? power * states[i - ROW] : 0);
      Integer before = i >= ROW ? last.put(hash, i) : null;
      if (before != null) {
        recurring.merge(i - before, 1, Integer::sum);
      }
    }
    int longest = 0;
    for (Map.Entry<Integer, Integer> distance : recurring.entrySet()) {
      boolean isMostOfIt = 2L * distance.getValue() >= distance.getKey();
      if (isMostOfIt && distance.getKey() >= ROW) {
        longest = Math.max(longest, distance.getKey());
      }
    }
    return new SteadyStep(longest > 0, longest);
  }

  /** By operation: a number for what it does and the live bytes after it. */
  private static long[] states(RecordedRun run, PlannedOperations operations) {
    long[] states = new long[run.operations()];
    long live = 0;
    for (int i = 0; i < states.length; i++) {
      live +=
          switch (run.kind(i)) {
            case RecordedRun.ALLOCATE -> run.bytes(i);
            case RecordedRun.FREE, RecordedRun.FREE_PENDING -> -operations.bytes(i);
            default -> 0;
          };
      states[i] =
          StackHashes.mixed(operations.key(i) ^ StackHashes.mixed(operations.bytes(i)) + 31 * live);
    }
    return states;
  }
}
