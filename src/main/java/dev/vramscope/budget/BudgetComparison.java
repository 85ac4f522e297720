package dev.vramscope.budget;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules.Category;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.budget.ModelGenerations.Model;
import dev.vramscope.budget.ModelGenerations.Source;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measured memory beside what training is expected to need: gradients as many bytes as the
 * parameters, and an optimizer's values for each parameter.
 *
 * @param expectations empty if nothing can be expected, or if there is no training
 * @param reason why nothing can be expected although the recording contains training; empty
 *     otherwise
 */
public record BudgetComparison(List<Expectation> expectations, String reason) {
  /** Rounding of sizes and parameters without gradients, such as buffers, stay below this. */
  private static final double TOLERANCE = 0.02;

  private static final BudgetComparison NONE = new BudgetComparison(List.of(), "");

  public BudgetComparison {
    expectations = List.copyOf(expectations);
  }

  /**
   * One measured number beside the expected one.
   *
   * @param rule where the expected number comes from, in a few words
   * @param difference a sentence on the difference; empty if there is none
   */
  public record Expectation(
      Use use, long measuredBytes, long expectedBytes, String rule, String difference) {}

  /** The expectation of a use. */
  public Optional<Expectation> of(Use use) {
    return expectations.stream().filter(each -> each.use() == use).findFirst();
  }

  static BudgetComparison of(
      LiveUses live,
      Lifetimes lifetimes,
      StackClasses stacks,
      Uses uses,
      int failedStack,
      List<Model> models) {
    boolean hasGradients = false;
    int stateStack = StackTable.NONE;
    for (int row = 0; row < lifetimes.size(); row++) {
      hasGradients |= uses.use(row) == Use.GRADIENTS;
      if (uses.use(row) == Use.OPTIMIZER_STATE && stateStack == StackTable.NONE) {
        stateStack = lifetimes.stack(row);
      }
    }
    if (!hasGradients && stateStack == StackTable.NONE) {
      return NONE;
    }
    long parameters = live.bytes(Use.PARAMETERS);
    String unknown = unknown(live, parameters);
    if (!unknown.isEmpty()) {
      return new BudgetComparison(List.of(), unknown);
    }
    // A copy, such as an average of the parameters, is not trained.
    long trained =
        parameters
            - models.stream()
                .filter(model -> model.source() != Source.MADE)
                .mapToLong(Model::bytes)
                .sum();
    long gradients = live.bytes(Use.GRADIENTS);
    List<Expectation> expectations = new ArrayList<>();
    expectations.add(gradients(gradients, trained));
    Optional<Optimizer> optimizer = Optimizer.of(stateStack, stacks.stacks());
    if (optimizer.isPresent()) {
      boolean isInFirstStep =
          failedStack != StackTable.NONE
              && stacks.category(failedStack) == Category.OPTIMIZER
              && stacks.isOptimizerState(failedStack);
      // The step makes state for the parameters that have a gradient; all of them are there.
      expectations.add(
          optimizerState(
              live.bytes(Use.OPTIMIZER_STATE),
              isInFirstStep && gradients > 0 ? Math.min(gradients, trained) : trained,
              optimizer.get(),
              isInFirstStep));
    }
    return new BudgetComparison(expectations, "");
  }

  /** Why the bytes of the parameters are not known well enough; empty if they are. */
  private static String unknown(LiveUses live, long parameters) {
    if (parameters == 0) {
      return "No parameters were identified at this moment, so there is no expected number.";
    }
    if (live.unknownOlderBytes() > parameters * TOLERANCE) {
      return "Parameters may be among the "
          + ByteText.of(live.unknownOlderBytes())
          + " that were allocated before the recording and have no stack, so there is no expected"
          + " number.";
    }
    return live.parametersByLifetime() > parameters * TOLERANCE
        ? "Most parameters are identified only by how long they live, so there is no expected"
            + " number."
        : "";
  }

  private static Expectation gradients(long measured, long parameters) {
    String difference = "";
    if (measured == 0) {
      difference =
          "No gradients are live at this moment: the backward pass has not made them yet, or"
              + " zero_grad() has freed them.";
    } else if (differs(measured, parameters)) {
      difference =
          measured < parameters
              ? "The backward pass has not made all of them yet, or some parameters are not"
                  + " trained."
              : "More than one gradient for some parameters.";
    }
    return new Expectation(
        Use.GRADIENTS, measured, parameters, "as many bytes as the parameters", difference);
  }

  private static Expectation optimizerState(
      long measured, long parameters, Optimizer optimizer, boolean isInFirstStep) {
    int values = optimizer.valuesPerParameter();
    long expected = parameters * values;
    String rule =
        optimizer.label() + " keeps " + (values == 1 ? "one value" : "two values") + " a parameter";
    return new Expectation(
        Use.OPTIMIZER_STATE,
        measured,
        expected,
        rule,
        differs(measured, expected)
            ? difference(measured, expected, parameters, values, isInFirstStep)
            : "");
  }

  private static String difference(
      long measured, long expected, long parameters, int values, boolean isInFirstStep) {
    if (measured < expected) {
      String missingText = ByteText.of(expected - measured);
      return isInFirstStep
          ? "The optimizer was making its state when the request failed: "
              + missingText
              + " were missing."
          : missingText
              + " less than expected: the first step of the optimizer makes the state, so either it"
              + " is not complete yet, or some parameters are not trained.";
    }
    if (!differs(measured, 2 * expected)) {
      return "Twice the expected bytes: as if 16-bit parameters have a state of 32-bit values.";
    }
    if (!differs(measured, 2 * expected + 2 * parameters)) {
      return "As if 16-bit parameters have a state of 32-bit values and a 32-bit master copy.";
    }
    return values == 2 && !differs(measured, 3 * parameters)
        ? "Three values a parameter: as with amsgrad=True."
        : ByteText.of(measured - expected) + " more than expected.";
  }

  private static boolean differs(long measured, long expected) {
    return Math.abs(measured - expected) > expected * TOLERANCE;
  }
}
