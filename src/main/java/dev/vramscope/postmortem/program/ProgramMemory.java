package dev.vramscope.postmortem.program;

import dev.vramscope.analysis.Lazy;
import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.LeakSuspects;
import dev.vramscope.analysis.stacks.ModelCalls;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.analysis.uses.StackBytes;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.budget.ModelGenerations;
import dev.vramscope.budget.Optimizer;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.postmortem.cause.Request;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a program holds when a request fails, by {@link ProgramPart}. For one thread. */
public final class ProgramMemory {
  private static final Set<Use> OF_STEPS =
      EnumSet.of(
          Use.ACTIVATIONS, Use.KV_CACHE, Use.KEPT_RESULTS, Use.TEMPORARY, Use.OTHER, Use.NO_STACK);

  /** So many steps without a backward pass show that the program does not train. */
  private static final int LEAST_STEPS = 2;

  private final Trace trace;
  private final RecordedHistory history;
  private final StackClasses stacks;
  private final Uses uses;
  private final Request request;
  private final List<LeakSuspects.Row> growing;
  private final ModelCalls calls;
  private final Lazy<ModelGenerations> models;

  /** What was asked for already: several rules are about the same part. */
  private final Map<ProgramPart, StackBytes> parts = new EnumMap<>(ProgramPart.class);

  /**
   * The memory at a failure.
   *
   * @param uses of the history's allocations
   * @param growing the lines whose memory grows from step to step; empty if the cause is no leak
   */
  public ProgramMemory(
      Trace trace,
      RecordedHistory history,
      StackClasses stacks,
      Uses uses,
      Request request,
      List<LeakSuspects.Row> growing) {
    this.trace = trace;
    this.history = history;
    this.stacks = stacks;
    this.uses = uses;
    this.request = request;
    this.growing = growing;
    calls = ModelCalls.of(stacks.stacks());
    int event = request.event();
    models = new Lazy<>(() -> ModelGenerations.at(event, lifetimes(), stacks, uses, calls));
  }

  private Lifetimes lifetimes() {
    return history.lifetimes();
  }

  /** The bytes of a part, by the stacks that allocated them. */
  public StackBytes part(ProgramPart part) {
    StackBytes known = parts.get(part);
    if (known == null) {
      known = compute(part);
      parts.put(part, known);
    }
    return known;
  }

  private StackBytes compute(ProgramPart part) {
    return switch (part) {
      case LIVE -> live(EnumSet.allOf(Use.class));
      case STEP -> step();
      case GROWTH -> growth();
      case GROWING_GRAPH -> growingGraph();
      case ACTIVATIONS -> activations();
      case EVALUATION_GRAPH -> EvaluationGraph.at(request.event(), lifetimes(), stacks, calls);
      case PARAMETERS -> live(EnumSet.of(Use.PARAMETERS));
      case OPTIMIZER_STATE -> live(EnumSet.of(Use.OPTIMIZER_STATE));
      case FIRST_OPTIMIZER_STEP -> firstOptimizerStep();
      case TRAINING_STATE -> live(EnumSet.of(Use.OPTIMIZER_STATE, Use.GRADIENTS));
      case EARLIER_MODEL -> earlierModel();
      case COPIED_MODEL -> models.get().copied();
      case SECOND_MODEL -> models.get().second();
    };
  }

  /** With what was made to train it, before the last model was made. */
  private StackBytes earlierModel() {
    StackBytes parameters = models.get().earlier();
    int lastMadeAt = models.get().lastMadeAt();
    if (parameters.bytes() == 0 || lastMadeAt == 0) {
      return parameters;
    }
    StackBytes.Sum sum = new StackBytes.Sum();
    sum.add(parameters);
    // Counted for the line that made the model: that of the optimizer is not the one to change.
    sum.add(
        parameters.largestStack(),
        live(EnumSet.of(Use.OPTIMIZER_STATE, Use.GRADIENTS), 0, lastMadeAt).bytes());
    return sum.total();
  }

  private StackBytes live(Set<Use> some) {
    return live(some, 0, request.event());
  }

  /** What was allocated by events in {@code [fromEvent, toEvent)}; from 0 also before them. */
  private StackBytes live(Set<Use> some, int fromEvent, int toEvent) {
    StackBytes.Sum sum = new StackBytes.Sum();
    Lifetimes lifetimes = lifetimes();
    int from = fromEvent == 0 ? 0 : lifetimes.firstAllocatedFrom(fromEvent);
    int end = lifetimes.firstAllocatedFrom(toEvent);
    for (int row = from; row < end; row++) {
      if (some.contains(uses.use(row)) && lifetimes.isActiveAt(row, request.event())) {
        sum.add(lifetimes.stack(row), lifetimes.bytes(row));
      }
    }
    return sum.total();
  }

  private StackBytes step() {
    Steps steps = history.steps().before(request.event());
    int start = 0;
    if (steps.startCount() > 0) {
      int last = steps.startCount() - 1;
      start = steps.isLastOpen() ? steps.start(last) : steps.end(last);
    }
    StackBytes.Sum sum = new StackBytes.Sum();
    sum.add(live(OF_STEPS, start, request.event()));
    sum.add(request.stack(), request.roundedBytes());
    return sum.total();
  }

  private StackBytes growth() {
    StackBytes.Sum sum = new StackBytes.Sum();
    growing.forEach(row -> sum.add(row.stack(), row.growth().grownBytes()));
    return sum.total();
  }

  /** Results inside models that earlier steps have left, at the lines whose memory grows. */
  private StackBytes growingGraph() {
    Set<Integer> lines = new HashSet<>();
    growing.forEach(row -> lines.add(stacks.siteOf(row.stack())));
    Steps steps = history.steps().before(request.event());
    if (steps.startCount() == 0) {
      return StackBytes.NONE;
    }
    int lastStart = steps.start(steps.startCount() - 1);
    StackBytes inModels =
        live(EnumSet.of(Use.ACTIVATIONS), 0, lastStart)
            .where(
                stack ->
                    calls.caller(stack) != StackTable.NONE && lines.contains(stacks.siteOf(stack)));
    return inModels.isGraph() ? inModels : StackBytes.NONE;
  }

  /** Activations that a backward pass will use. */
  private StackBytes activations() {
    if (isWithoutBackward()) {
      return StackBytes.NONE;
    }
    Set<Integer> unused = part(ProgramPart.EVALUATION_GRAPH).byStack().keySet();
    StackBytes kept = live(EnumSet.of(Use.ACTIVATIONS)).where(stack -> !unused.contains(stack));
    return kept.isGraph() ? kept : StackBytes.NONE;
  }

  /** Whether the program has completed steps, and none of them had a backward pass. */
  private boolean isWithoutBackward() {
    int firstBackward = 0;
    while (firstBackward < request.event()
        && !(trace.action(firstBackward) == TraceAction.ALLOC
            && stacks.mayBeBackward(trace.stack(firstBackward)))) {
      firstBackward++;
    }
    return firstBackward == request.event()
        && history.steps().before(request.event()).count() >= LEAST_STEPS;
  }

  /** Twice as much as the gradients, for an optimizer that keeps two values a parameter. */
  private StackBytes firstOptimizerStep() {
    StackBytes.Sum sum = new StackBytes.Sum();
    optimizerInFirstStep()
        .ifPresent(
            optimizer -> {
              long gradients = live(EnumSet.of(Use.GRADIENTS)).bytes();
              sum.add(request.stack(), gradients * optimizer.valuesPerParameter());
            });
    return sum.total();
  }

  /** The optimizer that was making its state when the request failed; empty if none was. */
  public Optional<Optimizer> optimizerInFirstStep() {
    return request.stack() != StackTable.NONE && stacks.isOptimizerState(request.stack())
        ? Optimizer.of(request.stack(), stacks.stacks())
        : Optional.empty();
  }

  /** The line that calls the model in which memory was allocated; the stack itself outside. */
  public int modelCaller(int stack) {
    int caller = calls.caller(stack);
    return caller == StackTable.NONE ? stack : caller;
  }

  /** All live memory and the request. */
  public long neededBytes() {
    return part(ProgramPart.LIVE).bytes() + request.roundedBytes();
  }
}
