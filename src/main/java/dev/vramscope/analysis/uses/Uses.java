package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules.Category;
import dev.vramscope.analysis.stacks.ModelCalls;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.TextColumn;
import java.util.HashMap;
import java.util.Map;

/**
 * The use of every allocation of a device. One byte each.
 *
 * <p>The rules, in this order:
 *
 * <ol>
 *   <li>What the program has declared in the metadata of the event.
 *   <li>Frames: the category of the innermost frame that has one.
 *   <li>Memory of the optimizer is its state if the frame creates state, or if it is still active
 *       when other code allocates next; otherwise it is temporary.
 *   <li>An allocation of the forward pass of a size that is cuBLAS's default, the first of its
 *       stack, which stays while later ones of the same stack are freed, is cuBLAS's workspace; one
 *       a stream.
 *   <li>If no frame identifies parameters: allocations of unknown use, made before the first
 *       activation and active for more than half of the recording, from a place that allocates
 *       nothing later, are parameters.
 *   <li>What is read from a file beside a model of the same sizes is a copy of it, and the rest of
 *       these sizes is the state of an optimizer: {@link LoadedCheckpoint}.
 *   <li>Allocations without a stack and of the backward pass are gradients if {@link
 *       GradientMatching} finds their parameters; otherwise those with a stack are temporary.
 *   <li>What each call of a model replaces by more of it is a cache: {@link GrowingCaches}.
 *   <li>Results of models that no backward pass follows are temporary: {@link EvaluationResults}.
 *   <li>Results that outlive steps are kept by the program: {@link KeptResults}.
 *   <li>Results of other code that are freed before the next call of a model are temporary: {@link
 *       ShortResults}.
 *   <li>Other allocations without a stack are temporary results of the backward pass if they have a
 *       partner in the forward pass: {@link ForwardPartners}.
 * </ol>
 */
public final class Uses {
  private static final Use[] VALUES = Use.values();
  private static final byte DECLARED = 0x40;
  private static final byte BY_LIFETIME = 0x20;
  private static final byte USE = 0x1f;

  private final Lifetimes lifetimes;
  private final StackClasses stacks;
  private final byte[] uses;
  private final Map<Integer, Integer> forwardPartners = new HashMap<>();

  private Uses(Lifetimes lifetimes, StackClasses stacks, byte[] uses) {
    this.lifetimes = lifetimes;
    this.stacks = stacks;
    this.uses = uses;
  }

  /** Applies the rules to all allocations. */
  public static Uses of(Lifetimes lifetimes, StackClasses stacks, TextColumn metadata) {
    byte[] uses = new byte[lifetimes.size()];
    Uses result = new Uses(lifetimes, stacks, uses);
    byte[] ofStacks = new byte[stacks.stacks().nodeCount()];
    for (int stack = 0; stack < ofStacks.length; stack++) {
      ofStacks[stack] = (byte) result.ofStack(stack).ordinal();
    }
    for (int row = 0; row < uses.length; row++) {
      Use declared =
          row < lifetimes.liveBeforeCount()
              ? null
              : DeclaredUse.of(metadata.of(lifetimes.allocationEvent(row)));
      uses[row] =
          declared == null
              ? ofStacks[lifetimes.stack(row)]
              : (byte) (declared.ordinal() | DECLARED);
    }
    result.separateOptimizerTemporaries();
    new Workspaces(lifetimes, result).find();
    result.addEarlyParameters();
    new LoadedCheckpoint(lifetimes, stacks, result).find();
    new GradientMatching(lifetimes, result).match();
    ModelCalls calls = ModelCalls.of(stacks.stacks());
    ModelRuns runs = ModelRuns.of(lifetimes, stacks, calls);
    TrainedCalls trained = TrainedCalls.before(Lifetimes.NEVER - 1, lifetimes, stacks, calls);
    result.addCachesOfTraining(trained);
    new GrowingCaches(lifetimes, result, trained, runs).find();
    new EvaluationResults(lifetimes, result, trained, runs).find();
    new KeptResults(lifetimes, stacks, result, runs).find();
    new ShortResults(lifetimes, stacks, result, runs).find();
    new ForwardPartners(lifetimes, result).find();
    return result;
  }

  /** The use of an allocation. */
  public Use use(int row) {
    return VALUES[uses[row] & USE];
  }

  /** The use of what an event of the trace allocates. */
  public Use ofEvent(int event) {
    int row = lifetimes.firstAllocatedFrom(event);
    return row < uses.length && lifetimes.allocationEvent(row) == event ? use(row) : Use.NO_STACK;
  }

  /** Whether the program has declared the use; otherwise it is an estimate. */
  public boolean isDeclared(int row) {
    return (uses[row] & DECLARED) != 0;
  }

  /** Whether the use follows from the lifetime alone, which is the weakest of the rules. */
  public boolean isByLifetime(int row) {
    return (uses[row] & BY_LIFETIME) != 0;
  }

  /**
   * A stack of the forward pass whose result an allocation without a stack is the gradient of, or
   * {@link StackTable#NONE}.
   */
  public int forwardPartner(int row) {
    return forwardPartners.getOrDefault(row, StackTable.NONE);
  }

  void setWithinBackward(int row, int forwardStack) {
    set(row, Use.TEMPORARY);
    forwardPartners.put(row, forwardStack);
  }

  void set(int row, Use use) {
    if (!isDeclared(row)) {
      uses[row] = (byte) use.ordinal();
    }
  }

  boolean isBackward(int stack) {
    return stacks.isBackward(stack);
  }

  /** The use of memory that is allocated with a stack, judging by its frames alone. */
  public Use ofStack(int stack) {
    return switch (stacks.category(stack)) {
      case PARAMETERS -> Use.PARAMETERS;
      case GRADIENTS -> Use.TEMPORARY;
      case OPTIMIZER -> Use.OPTIMIZER_STATE;
      case ACTIVATIONS -> Use.ACTIVATIONS;
      case CACHE -> Use.KV_CACHE;
      case OUTPUTS -> Use.KEPT_RESULTS;
      case CHECKPOINT -> Use.PARAMETERS;
      case COMMUNICATION -> Use.COMMUNICATION;
      case WORKSPACE -> Use.WORKSPACES;
      case UNKNOWN -> unknown(stack);
    };
  }

  private Use unknown(int stack) {
    if (stack == StackTable.NONE) {
      return Use.NO_STACK;
    }
    return isBackward(stack) ? Use.TEMPORARY : Use.OTHER;
  }

  private void separateOptimizerTemporaries() {
    int nextByOthers = Lifetimes.NEVER;
    for (int row = uses.length - 1; row >= lifetimes.liveBeforeCount(); row--) {
      int stack = lifetimes.stack(row);
      if (stacks.category(stack) != Category.OPTIMIZER) {
        nextByOthers = lifetimes.allocationEvent(row);
      } else if (!stacks.isOptimizerState(stack)
          && (nextByOthers == Lifetimes.NEVER || lifetimes.endEvent(row) < nextByOthers)) {
        set(row, Use.TEMPORARY);
      }
    }
  }

  /** A backward pass needs the keys and values in any case. */
  private void addCachesOfTraining(TrainedCalls trained) {
    for (int row = 0; row < uses.length; row++) {
      if (use(row) == Use.KV_CACHE && trained.contains(lifetimes.stack(row))) {
        set(row, Use.ACTIVATIONS);
      }
    }
  }

  private void addEarlyParameters() {
    int firstActivation = 0;
    boolean hasParameters = false;
    for (int row = 0; row < uses.length; row++) {
      hasParameters |= use(row) == Use.PARAMETERS;
    }
    while (firstActivation < uses.length && use(firstActivation) != Use.ACTIVATIONS) {
      firstActivation++;
    }
    if (hasParameters || firstActivation == uses.length) {
      return;
    }
    boolean[] isLater = new boolean[stacks.stacks().nodeCount()];
    for (int row = firstActivation; row < uses.length; row++) {
      isLater[lifetimes.stack(row)] = true;
    }
    int last = lifetimes.allocationEvent(uses.length - 1);
    for (int row = 0; row < firstActivation; row++) {
      if (use(row) == Use.OTHER
          && !isDeclared(row)
          && !isLater[lifetimes.stack(row)]
          && lifetimes.endEvent(row) > (last + lifetimes.allocationEvent(row)) / 2) {
        uses[row] = (byte) (Use.PARAMETERS.ordinal() | BY_LIFETIME);
      }
    }
  }
}
