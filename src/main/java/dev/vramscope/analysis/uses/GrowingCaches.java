package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.StackTable;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds key-value caches of other classes than the known ones by how they grow. In each call of a
 * model, a line within it allocates the keys of a layer once more and longer, and frees those of
 * the call before:
 *
 * <pre>
 *   call 1   update:21  ▬▬▬▬     one block a layer
 *   call 2   update:21      ▬▬▬▬▬
 *   call 3   update:21           ▬▬▬▬▬▬
 * </pre>
 *
 * <p>What a call allocates elsewhere and hands over to such a line in the next call is a part of
 * the cache as well.
 */
final class GrowingCaches {
  private static final int LEAST_GROWTHS = 3;

  private final Lifetimes lifetimes;
  private final Uses uses;
  private final TrainedCalls trained;
  private final ModelRuns runs;
  private final Map<Integer, Line> lines = new HashMap<>();

  GrowingCaches(Lifetimes lifetimes, Uses uses, TrainedCalls trained, ModelRuns runs) {
    this.lifetimes = lifetimes;
    this.uses = uses;
    this.trained = trained;
    this.runs = runs;
  }

  /** The blocks of one stack, each beside that of the run before. */
  private static final class Line {
    private int run = -1;
    private Deque<Integer> before = new ArrayDeque<>();
    private Deque<Integer> latest = new ArrayDeque<>();
    private int pairs;
    private int growths;

    void begin(int nextRun) {
      if (run != nextRun) {
        run = nextRun;
        before = latest;
        latest = new ArrayDeque<>();
      }
    }

    boolean isCache() {
      return growths >= LEAST_GROWTHS && 2 * growths >= pairs;
    }
  }

  void find() {
    forEachResult(this::compare);
    BitSet caches = new BitSet();
    lines.forEach(
        (stack, line) -> {
          if (line.isCache()) {
            caches.set(stack);
          }
        });
    if (!caches.isEmpty()) {
      forEachResult(
          (run, row) -> {
            if (caches.get(lifetimes.stack(row)) || isHandedOver(run, row, caches)) {
              uses.set(row, Use.KV_CACHE);
            }
          });
    }
  }

  private interface ResultAction {
    void accept(int run, int row);
  }

  /** What the runs without a backward pass allocate, in order. */
  private void forEachResult(ResultAction action) {
    for (int run = 0; run < runs.count(); run++) {
      if (runs.isTrained(run, trained)) {
        continue;
      }
      for (int row = runs.firstRow(run); row < runs.endRow(run); row++) {
        if (isResult(row)) {
          action.accept(run, row);
        }
      }
    }
  }

  private void compare(int run, int row) {
    Line line = lines.computeIfAbsent(lifetimes.stack(row), _ -> new Line());
    line.begin(run);
    line.latest.add(row);
    Integer before = line.before.poll();
    if (before != null) {
      int end = lifetimes.endEvent(before);
      boolean isReplaced =
          end > lifetimes.allocationEvent(row)
              && end != Lifetimes.NEVER
              && end <= runs.lastEvent(run);
      line.pairs++;
      line.growths += isReplaced && lifetimes.bytes(row) > lifetimes.bytes(before) ? 1 : 0;
    }
  }

  private boolean isHandedOver(int run, int row, BitSet caches) {
    int end = lifetimes.endEvent(row);
    if (end <= runs.lastEvent(run) || end == Lifetimes.NEVER) {
      return false;
    }
    int replacement = lifetimes.firstAllocatedFrom(end) - 1;
    return caches.get(lifetimes.stack(replacement))
        && lifetimes.bytes(replacement) >= lifetimes.bytes(row);
  }

  private boolean isResult(int row) {
    return lifetimes.stack(row) != StackTable.NONE
        && (uses.use(row) == Use.ACTIVATIONS || uses.use(row) == Use.TEMPORARY);
  }
}
