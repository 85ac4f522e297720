package dev.vramscope.postmortem.program;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameMatch;
import dev.vramscope.analysis.stacks.ModelCalls;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.budget.Use;
import dev.vramscope.budget.Uses;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;

/**
 * The models whose parameters are live at a failure, in the order in which they were made. A model
 * ends where the program calls a model, or where the sizes of its parameters begin again:
 *
 * <pre>
 *   allocations   p1 p2 p3 │ forward, backward, … │ p1 p2 p3 │ …      an earlier model
 *                 p1 p2 p3 │ p1 p2 p3 │ forward …                     a second model
 *                 p1 p2 p3 │ deepcopy: p1 p2 p3                       a copied model
 * </pre>
 */
final class ModelGenerations {
  /** Models are as large as each other within this share. */
  private static final double SIMILAR = 0.02;

  /** Fewer parameters than this share of the largest model's are none of their own. */
  private static final double LEAST_OF_LARGEST = 0.1;

  private static final FrameMatch DEEP_COPY = FrameMatch.of("name is deepcopy");

  private final StackClasses stacks;
  private final List<Generation> generations = new ArrayList<>();

  /** Allocations inside models before the failure. */
  private int usesAtFailure;

  private ModelGenerations(StackClasses stacks) {
    this.stacks = stacks;
  }

  /** One model. */
  private static final class Generation {
    private final boolean isCopy;
    private final int usesBefore;
    private final int firstEvent;
    private final List<Long> sizes = new ArrayList<>();
    private final List<Integer> allocatingStacks = new ArrayList<>();

    Generation(boolean isCopy, int usesBefore, int firstEvent) {
      this.isCopy = isCopy;
      this.usesBefore = usesBefore;
      this.firstEvent = firstEvent;
    }

    void add(long bytes, int stack) {
      sizes.add(bytes);
      allocatingStacks.add(stack);
    }

    long bytes() {
      return sizes.stream().mapToLong(Long::longValue).sum();
    }

    StackBytes byStack() {
      StackBytes.Sum sum = new StackBytes.Sum();
      for (int i = 0; i < sizes.size(); i++) {
        sum.add(allocatingStacks.get(i), sizes.get(i));
      }
      return sum.total();
    }

    /** Its halves, if they are equal; otherwise itself. */
    List<Generation> divided() {
      int half = sizes.size() / 2;
      if (isCopy || half == 0 || sizes.size() % 2 != 0) {
        return List.of(this);
      }
      List<Long> first = sizes.subList(0, half).stream().sorted().toList();
      // Layers of one model are equal, too: only whole models are as different as this.
      boolean isOneSize = first.getFirst().equals(first.getLast());
      if (isOneSize
          || !first.equals(sizes.subList(half, sizes.size()).stream().sorted().toList())) {
        return List.of(this);
      }
      Generation before = new Generation(/* isCopy= */ false, usesBefore, firstEvent);
      Generation after = new Generation(/* isCopy= */ false, usesBefore, firstEvent);
      for (int i = 0; i < sizes.size(); i++) {
        (i < half ? before : after).add(sizes.get(i), allocatingStacks.get(i));
      }
      return List.of(before, after);
    }
  }

  /** The models at an event. */
  static ModelGenerations of(
      Trace trace,
      Lifetimes lifetimes,
      StackClasses stacks,
      Uses uses,
      ModelCalls calls,
      int event) {
    ModelGenerations models = new ModelGenerations(stacks);
    int scanned = 0;
    Generation latest = null;
    for (int row = 0; row < lifetimes.firstAllocatedFrom(event); row++) {
      if (uses.use(row) != Use.PARAMETERS || !lifetimes.isActiveAt(row, event)) {
        continue;
      }
      for (; scanned < lifetimes.allocationEvent(row); scanned++) {
        models.usesAtFailure += isModelCall(trace, calls, scanned);
      }
      int stack = lifetimes.stack(row);
      boolean isCopy = models.isCopy(stack);
      if (latest == null || latest.isCopy != isCopy || latest.usesBefore != models.usesAtFailure) {
        latest = new Generation(isCopy, models.usesAtFailure, lifetimes.allocationEvent(row));
        models.generations.add(latest);
      }
      latest.add(lifetimes.bytes(row), stack);
    }
    for (; scanned < event; scanned++) {
      models.usesAtFailure += isModelCall(trace, calls, scanned);
    }
    models.dropSmall();
    return models;
  }

  private static int isModelCall(Trace trace, ModelCalls calls, int event) {
    return trace.action(event) == TraceAction.ALLOC
            && calls.caller(trace.stack(event)) != StackTable.NONE
        ? 1
        : 0;
  }

  private void dropSmall() {
    long largest = generations.stream().mapToLong(Generation::bytes).max().orElse(0);
    generations.removeIf(each -> each.bytes() < LEAST_OF_LARGEST * largest);
  }

  private boolean isCopy(int stack) {
    return FrameMatch.innermost(List.of(DEEP_COPY), stack, stacks.stacks()).isPresent();
  }

  /** The parameters that were copied from others. */
  StackBytes copied() {
    StackBytes.Sum sum = new StackBytes.Sum();
    generations.stream().filter(each -> each.isCopy).forEach(each -> sum.add(each.byStack()));
    return sum.total();
  }

  /**
   * The models that the program has used before it made the last one, if that is made by the same
   * code or is as large, or if the program has not used it yet.
   */
  StackBytes earlier() {
    List<Generation> made = generations.stream().filter(each -> !each.isCopy).toList();
    StackBytes.Sum sum = new StackBytes.Sum();
    if (!made.isEmpty()) {
      Generation last = made.getLast();
      for (Generation each : made.subList(0, made.size() - 1)) {
        if (each.usesBefore < last.usesBefore
            && (last.usesBefore == usesAtFailure || isMadeAlike(each, last))) {
          sum.add(each.byStack());
        }
      }
    }
    return sum.total();
  }

  /** The event at which the last model began to be made; 0 if it was there before the recording. */
  int lastMadeAt() {
    return generations.stream()
        .filter(each -> !each.isCopy)
        .reduce((_, later) -> later)
        .map(last -> Math.max(0, last.firstEvent))
        .orElse(0);
  }

  private boolean isMadeAlike(Generation one, Generation other) {
    int line = line(one);
    return isSimilar(one, other) || (line >= 0 && line == line(other));
  }

  private static boolean isSimilar(Generation one, Generation other) {
    return one.sizes.size() == other.sizes.size()
        && Math.abs(one.bytes() - other.bytes()) <= SIMILAR * one.bytes();
  }

  private int line(Generation model) {
    int stack = model.byStack().largestStack();
    return stack == StackTable.NONE ? -1 : stacks.stacks().frameNumber(stacks.siteOf(stack));
  }

  /** The second of two models of one size that were made before either was used. */
  StackBytes second() {
    for (Generation each : generations) {
      List<Generation> halves = each.divided();
      if (halves.size() > 1) {
        return halves.getLast().byStack();
      }
    }
    return StackBytes.NONE;
  }
}
