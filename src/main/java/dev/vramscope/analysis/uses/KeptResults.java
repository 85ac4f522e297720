package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules.Category;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds what a program keeps from step to step: outputs of models in a list, the state of metrics,
 * results that each step concatenates with those of earlier ones.
 *
 * <ul>
 *   <li>A result of a model that is still active when its line calls models for the second time
 *       since, unless so much is kept that it is a graph.
 *   <li>What other code allocates after the first call of a model, if it is still active when the
 *       same code has allocated twice since, with calls of models between; or if each new one is
 *       larger than the one before, which was active until then, and the calls of models have not
 *       become as much larger: otherwise it is their input.
 *   <li>Memory of code that collects results, unless it is freed before the next call of a model.
 * </ul>
 *
 * <p>The latest allocations of a place have had no time to show this: they are what most of the
 * earlier ones were.
 */
final class KeptResults {
  private static final int LEAST_GROWTHS = 3;

  /** Sizes are rounded, and weights that a call casts do not grow. */
  private static final double SAME_GROWTH = 0.95;

  private final Lifetimes lifetimes;
  private final StackClasses stacks;
  private final Uses uses;
  private final ModelRuns runs;

  KeptResults(Lifetimes lifetimes, StackClasses stacks, Uses uses, ModelRuns runs) {
    this.lifetimes = lifetimes;
    this.stacks = stacks;
    this.uses = uses;
    this.runs = runs;
  }

  void find() {
    fromModels();
    fromOtherCode();
  }

  private void fromModels() {
    int[] limits = runs.secondNextEvents();
    Map<Integer, StackBytes.Sum> keptByCaller = new HashMap<>();
    Map<Integer, Integer> mostBlocks = new HashMap<>();
    Map<Integer, Long> released = new HashMap<>();
    for (int run = 0; run < runs.count(); run++) {
      int blocks = 0;
      for (int row = runs.firstRow(run); row < runs.endRow(run); row++) {
        if (isResult(row) && isKeptUntil(limits[run], row)) {
          blocks++;
          keptByCaller
              .computeIfAbsent(runs.caller(run), _ -> new StackBytes.Sum())
              .add(lifetimes.stack(row), lifetimes.bytes(row));
        } else if (isResult(row) && lifetimes.endEvent(row) != Lifetimes.NEVER) {
          released.merge(lifetimes.stack(row), lifetimes.bytes(row), Long::sum);
        }
      }
      mostBlocks.merge(runs.caller(run), blocks, Math::max);
    }
    Map<Integer, Map<Integer, Long>> keptResults = new HashMap<>();
    keptByCaller.forEach(
        (caller, sum) -> {
          StackBytes kept = sum.total();
          boolean isGraph = kept.isGraph(mostBlocks.getOrDefault(caller, 0));
          keptResults.put(caller, isGraph ? Map.of() : kept.byStack());
        });
    for (int run = 0; run < runs.count(); run++) {
      Map<Integer, Long> kept = keptResults.getOrDefault(runs.caller(run), Map.of());
      for (int row = runs.firstRow(run); row < runs.endRow(run) && !kept.isEmpty(); row++) {
        int stack = lifetimes.stack(row);
        long keptOfStack = kept.getOrDefault(stack, 0L);
        boolean mayBeKept =
            lifetimes.endEvent(row) == Lifetimes.NEVER
                && keptOfStack > released.getOrDefault(stack, 0L);
        if (isResult(row) && keptOfStack > 0 && (isKeptUntil(limits[run], row) || mayBeKept)) {
          uses.set(row, Use.KEPT_RESULTS);
        }
      }
    }
  }

  private boolean isKeptUntil(int limit, int row) {
    return limit != Lifetimes.NEVER && lifetimes.endEvent(row) > limit;
  }

  private boolean isResult(int row) {
    return uses.use(row) == Use.ACTIVATIONS || uses.use(row) == Use.TEMPORARY;
  }

  /** The allocations of one stack outside of models, in order. */
  private static final class Place {
    private int latest = -1;
    private int beforeLatest = -1;
    private int growths;
    private boolean hasShrunk;
    private boolean isOutlived;

    boolean isKept() {
      return isOutlived || (growths >= LEAST_GROWTHS && !hasShrunk);
    }
  }

  private void fromOtherCode() {
    Map<Integer, Place> places = new HashMap<>();
    for (int row = lifetimes.liveBeforeCount(); row < lifetimes.size(); row++) {
      int stack = lifetimes.stack(row);
      boolean collects = stacks.category(stack) == Category.OUTPUTS;
      if (collects && lifetimes.endEvent(row) < nextRunEvent(row)) {
        uses.set(row, Use.TEMPORARY);
      } else if (uses.use(row) == Use.OTHER && stack != StackTable.NONE && runs.begunAt(row) > 0) {
        add(row, places.computeIfAbsent(stack, _ -> new Place()));
      }
    }
    for (int row = lifetimes.liveBeforeCount(); row < lifetimes.size(); row++) {
      Place place = places.get(lifetimes.stack(row));
      if (place != null
          && place.isKept()
          && uses.use(row) == Use.OTHER
          && runs.begunAt(row) > 0
          && lifetimes.endEvent(row) > nextRunEvent(row)) {
        uses.set(row, Use.KEPT_RESULTS);
      }
    }
  }

  /** The event at which the next run of a model begins; or never. */
  private int nextRunEvent(int row) {
    int next = runs.begunAt(row);
    return next < runs.count()
        ? lifetimes.allocationEvent(runs.firstRow(next))
        : Lifetimes.NEVER - 1;
  }

  /** Whether what the models compute after an allocation has grown with it. */
  private boolean isInput(int smaller, int larger) {
    int afterLarger = runs.begunAt(larger);
    return afterLarger < runs.count()
        && (double) runs.bytes(afterLarger) / runs.bytes(runs.begunAt(smaller))
            >= SAME_GROWTH * lifetimes.bytes(larger) / lifetimes.bytes(smaller);
  }

  private void add(int row, Place place) {
    int latest = place.latest;
    if (latest >= 0 && runs.begunAt(latest) < runs.begunAt(row)) {
      int event = lifetimes.allocationEvent(row);
      boolean grows =
          lifetimes.endEvent(latest) > event && lifetimes.bytes(row) > lifetimes.bytes(latest);
      place.growths += grows && !isInput(latest, row) ? 1 : 0;
      place.hasShrunk |= !grows;
      place.isOutlived |= place.beforeLatest >= 0 && lifetimes.endEvent(place.beforeLatest) > event;
    }
    if (latest < 0 || runs.begunAt(latest) < runs.begunAt(row)) {
      place.beforeLatest = latest;
      place.latest = row;
    }
  }
}
