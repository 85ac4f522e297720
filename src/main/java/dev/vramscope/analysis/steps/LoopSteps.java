package dev.vramscope.analysis.steps;

import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses the steps among the loops of a program: the iterations of the loops that train, validate
 * or serve.
 *
 * <pre>
 *   for epoch:                     each iteration trains in a loop:   its iterations are steps
 *     for batch: ...               trains                             steps
 *       for part: backward         no optimizer, but around it:       parts of a step
 *     for batch: model(batch)      evaluates beside the training      steps
 * </pre>
 *
 * A model that is called after such a loop, outside of all loops, begins a step as well.
 */
final class LoopSteps {
  /** Without calls of a model, steps have to make at least this share of the allocations. */
  private static final double LEAST_SHARE = 0.4;

  /** Loops with fewer iterations, such as those over epochs, are left for those inside them. */
  private static final int FEW_ITERATIONS = 4;

  private final PhaseCounts phases;
  private final Map<CodeLoop.Code, Integer> loopNumbers = new HashMap<>();

  /** Loops that accumulate gradients: their iterations are parts of one step. */
  private final Set<CodeLoop.Code> accumulating = new HashSet<>();

  private final List<Step> steps = new ArrayList<>();

  /**
   * A step.
   *
   * @param start its first event
   * @param end after its last event
   * @param loop the number of its loop, equal each time that the program runs it; a number of its
   *     own for a step outside of loops
   */
  record Step(int start, int end, int loop) {}

  private LoopSteps(PhaseCounts phases) {
    this.phases = phases;
  }

  /** The steps, in the order of time; empty if the stacks show none. */
  static List<Step> of(Trace trace, CodePlaces places) {
    List<CodeLoop> loops = CodeLoops.of(trace, places);
    if (loops.isEmpty()) {
      return List.of();
    }
    LoopSteps steps = new LoopSteps(new PhaseCounts(trace, places));
    steps.addOutermost(loops, trace.size());
    return steps.steps;
  }

  private void addOutermost(List<CodeLoop> loops, int end) {
    int at = 0;
    for (CodeLoop loop : loops) {
      if (loop.from() >= at && isOfSteps(loop)) {
        if (!steps.isEmpty()) {
          addOutside(at, loop.from());
        }
        at = add(loop, end);
      }
    }
    if (!steps.isEmpty()) {
      addOutside(at, end);
    }
  }

  /** Adds a step outside of the loops, from the first call of a model on, if there is one. */
  private void addOutside(int from, int to) {
    if (phases.model(from, to) > 0) {
      steps.add(new Step(phases.firstModel(from, to), to, newNumber()));
    }
  }

  private int newNumber() {
    return loopNumbers.size() + steps.size();
  }

  private boolean isOfSteps(CodeLoop loop) {
    if (phases.hasModel()) {
      int calls = phases.model(loop.from(), loop.end());
      return calls > 0 && calls >= loop.count() - 1;
    }
    return phases.allocations(loop.from(), loop.end()) >= LEAST_SHARE * phases.all();
  }

  /**
   * Adds the steps of a loop.
   *
   * @param limit the end of what may belong to its last step
   * @return the end of its last step
   */
  private int add(CodeLoop loop, int limit) {
    Integer number = loopNumbers.computeIfAbsent(loop.code(), _ -> newNumber());
    List<List<CodeLoop>> nested = nestedOfSteps(loop);
    findAccumulating(loop, nested);
    long iterationsWithLoops = nested.stream().filter(loops -> !loops.isEmpty()).count();
    boolean isSometimes = 2 * iterationsWithLoops <= Math.max(2, loop.count());
    List<List<CodeLoop>> taken = new ArrayList<>();
    for (int i = 0; i < loop.count(); i++) {
      int start = loop.startOf(i);
      int end = loop.endOf(i);
      taken.add(
          nested.get(i).stream()
              .filter(inner -> isTaken(inner, loop, start, end, isSometimes))
              .toList());
    }
    boolean isDivided = callsModelsOnlyIn(taken, loop);
    boolean hasTaken = taken.stream().anyMatch(loops -> !loops.isEmpty());
    int parts = hasTaken ? 1 : partsOfAStep(loop);
    int loopEnd = loop.end();
    if (!hasTaken && parts == 1 && isUpdatedAfter(loop, limit)) {
      parts = loop.count();
      loopEnd = phases.firstModel(loop.end(), limit);
    }
    for (int i = 0; i < loop.count(); i++) {
      int at = loop.startOf(i);
      int end = loop.endOf(i);
      for (CodeLoop inner : taken.get(i)) {
        if (phases.model(at, inner.from()) > 0) {
          steps.add(new Step(at, inner.from(), number));
        }
        at = add(inner, end);
      }
      if (!taken.get(i).isEmpty() || isDivided) {
        addOutside(at, end);
      } else if (i % parts == 0) {
        int last = Math.min(i + parts, loop.count()) - 1;
        steps.add(new Step(at, last + 1 == loop.count() ? loopEnd : loop.endOf(last), number));
      }
    }
    return loopEnd;
  }

  /**
   * Whether a loop accumulates gradients, and an optimizer uses them after it: a loop that ends
   * there, or whose last iteration is the first that gets that far.
   */
  private boolean isUpdatedAfter(CodeLoop loop, int limit) {
    for (int i = 0; i < loop.count(); i++) {
      if (phases.optimizer(loop.startOf(i), loop.endOf(i)) > 0
          || phases.backward(loop.startOf(i), loop.endOf(i)) == 0) {
        return false;
      }
    }
    return loop.end() < limit
        && phases.optimizer(loop.end(), phases.firstModel(loop.end(), limit)) > 0;
  }

  /**
   * Finds the nested loops that accumulate gradients, which an optimizer uses at their end or after
   * them. It may allocate only the first time that it runs, when it makes its state.
   */
  private void findAccumulating(CodeLoop loop, List<List<CodeLoop>> nested) {
    for (int i = 0; i < loop.count(); i++) {
      for (CodeLoop inner : nested.get(i)) {
        int end = Math.min(inner.end(), loop.endOf(i));
        if (phases.backward(inner.from(), end) > 0
            && (isUpdatedLast(inner)
                || (phases.optimizer(inner.from(), end) == 0
                    && phases.optimizer(end, loop.endOf(i)) > 0))) {
          accumulating.add(inner.code());
        }
      }
    }
  }

  /**
   * How many iterations of a loop make one step: those that accumulate gradients until the
   * optimizer runs in every n-th of them.
   */
  private int partsOfAStep(CodeLoop loop) {
    List<Integer> updates = new ArrayList<>();
    for (int i = 0; i < loop.count(); i++) {
      if (phases.optimizer(loop.startOf(i), loop.endOf(i)) > 0) {
        updates.add(i);
      } else if (phases.backward(loop.startOf(i), loop.endOf(i)) == 0) {
        return 1;
      }
    }
    int parts = updates.isEmpty() ? 1 : updates.getFirst() + 1;
    boolean isFirstOnly = updates.size() == 1 && updates.getFirst() < loop.count() - 1;
    boolean isRegular = updates.stream().allMatch(update -> (update + 1) % parts == 0);
    return isRegular && !isFirstOnly ? parts : 1;
  }

  /** Whether a loop, such as one over epochs, leaves all calls of models to the loops inside it. */
  private boolean callsModelsOnlyIn(List<List<CodeLoop>> nested, CodeLoop loop) {
    boolean hasLoops = false;
    for (int i = 0; i < loop.count(); i++) {
      if (!nested.get(i).isEmpty()) {
        hasLoops = true;
        int calls = phases.model(loop.startOf(i), loop.endOf(i));
        for (CodeLoop inner : nested.get(i)) {
          calls -= phases.model(inner.from(), Math.min(inner.end(), loop.endOf(i)));
        }
        if (calls > 0) {
          return false;
        }
      }
    }
    return hasLoops;
  }

  /** The nested loops of each iteration that could be loops of steps. */
  private List<List<CodeLoop>> nestedOfSteps(CodeLoop loop) {
    List<List<CodeLoop>> nested = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < loop.count(); i++) {
      int at = loop.startOf(i);
      List<CodeLoop> ofIteration = new ArrayList<>();
      while (next < loop.nested().size() && loop.nested().get(next).from() < loop.endOf(i)) {
        CodeLoop inner = loop.nested().get(next++);
        if (inner.from() >= at && isOfSteps(inner)) {
          ofIteration.add(inner);
          at = inner.end();
        }
      }
      nested.add(ofIteration);
    }
    return nested;
  }

  /** Iterations in which an optimizer runs. */
  private int updates(CodeLoop loop) {
    int updates = 0;
    for (int i = 0; i < loop.count(); i++) {
      updates += phases.optimizer(loop.startOf(i), loop.endOf(i)) > 0 ? 1 : 0;
    }
    return updates;
  }

  /** Whether an optimizer runs in the last iteration of a loop only. */
  private boolean isUpdatedLast(CodeLoop loop) {
    return updates(loop) == 1 && phases.optimizer(loop.startOf(loop.count() - 1), loop.end()) > 0;
  }

  /** Whether the iterations of a nested loop are steps, and not parts of one. */
  private boolean isTaken(CodeLoop inner, CodeLoop outer, int from, int to, boolean isSometimes) {
    int end = Math.min(inner.end(), to);
    int optimizer = phases.optimizer(inner.from(), end);
    if (updates(inner) > 1) {
      return true;
    }
    boolean hasOptimizerAround = phases.optimizer(from, to) > optimizer;
    int backward = phases.backward(inner.from(), end);
    if (backward > 0 && (hasOptimizerAround || accumulating.contains(inner.code()))) {
      return false;
    }
    boolean hasBackwardAround = phases.backward(from, to) > backward;
    int model = phases.model(inner.from(), end);
    if (hasBackwardAround || hasOptimizerAround) {
      return model > 0 && isSometimes;
    }
    if (backward > 0) {
      return true;
    }
    return (model > 0 && phases.model(from, to) == model) || outer.count() < FEW_ITERATIONS;
  }
}
