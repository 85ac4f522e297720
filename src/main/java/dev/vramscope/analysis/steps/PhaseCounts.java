package dev.vramscope.analysis.steps;

import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;

/** How many allocations a part of a trace has, and in which phase of a program they are. */
final class PhaseCounts {
  private final int[] allocations;
  private final int[] model;
  private final int[] backward;
  private final int[] optimizer;

  PhaseCounts(Trace trace, CodePlaces places) {
    int count = trace.size();
    allocations = new int[count + 1];
    model = new int[count + 1];
    backward = new int[count + 1];
    optimizer = new int[count + 1];
    for (int event = 0; event < count; event++) {
      boolean isAllocation = trace.action(event) == TraceAction.ALLOC;
      int stack = trace.stack(event);
      allocations[event + 1] = allocations[event] + count(isAllocation);
      model[event + 1] = model[event] + count(isAllocation && places.isModel(stack));
      backward[event + 1] = backward[event] + count(isAllocation && places.isBackward(stack));
      optimizer[event + 1] = optimizer[event] + count(isAllocation && places.isOptimizer(stack));
    }
  }

  private static int count(boolean is) {
    return is ? 1 : 0;
  }

  /** All allocations. */
  int all() {
    return allocations[allocations.length - 1];
  }

  /** Whether any allocation is inside a call of a model. */
  boolean hasModel() {
    return model[model.length - 1] > 0;
  }

  int allocations(int from, int to) {
    return allocations[to] - allocations[from];
  }

  /** Allocations inside calls of a model. */
  int model(int from, int to) {
    return model[to] - model[from];
  }

  /** The first allocation inside a call of a model; {@code to} if there is none. */
  int firstModel(int from, int to) {
    int event = from;
    while (event < to && model[event + 1] == model[event]) {
      event++;
    }
    return event;
  }

  /** Allocations of the backward pass. */
  int backward(int from, int to) {
    return backward[to] - backward[from];
  }

  /** Allocations of optimizers. */
  int optimizer(int from, int to) {
    return optimizer[to] - optimizer[from];
  }
}
