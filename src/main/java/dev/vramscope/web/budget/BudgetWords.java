package dev.vramscope.web.budget;

import dev.vramscope.analysis.uses.Use;
import dev.vramscope.budget.Budget.Moment;
import dev.vramscope.budget.ModelGenerations.Source;
import java.util.Arrays;

/** The texts and colours of a budget. */
public final class BudgetWords {
  private BudgetWords() {}

  static String label(Use use) {
    return switch (use) {
      case PARAMETERS -> "Parameters";
      case GRADIENTS -> "Gradients";
      case OPTIMIZER_STATE -> "Optimizer state";
      case ACTIVATIONS -> "Activations";
      case KV_CACHE -> "Key-value cache";
      case KEPT_RESULTS -> "Kept results";
      case TEMPORARY -> "Temporary results";
      case WORKSPACES -> "Workspaces";
      case COMMUNICATION -> "Communication";
      case OTHER -> "Other";
      case NO_STACK -> "Recorded without a stack";
    };
  }

  static String label(Source source) {
    return switch (source) {
      case MADE -> "made at";
      case COPIED -> "copied at";
      case CHECKPOINT -> "read from a checkpoint at";
    };
  }

  /** A sentence on what the row counts. */
  static String meaning(Use use) {
    return switch (use) {
      case PARAMETERS -> "Parameters and buffers of the model";
      case GRADIENTS -> "Of the size of a parameter, and kept after the backward pass";
      case OPTIMIZER_STATE -> "Values that the optimizer keeps from step to step";
      case ACTIVATIONS -> "Results of the forward pass, kept for the backward pass";
      case KV_CACHE -> "Keys and values of attention, kept from token to token";
      case KEPT_RESULTS -> "Outputs, losses or the state of metrics, kept from step to step";
      case TEMPORARY ->
          "Results within the backward pass, a step of the optimizer, or a forward pass without"
              + " gradients";
      case WORKSPACES -> "Work memory of cuBLAS and cuDNN";
      case COMMUNICATION -> "Buffers of collective operations";
      case OTHER -> "The stacks do not show what it is used for";
      case NO_STACK -> "The thread of the backward pass runs no Python, so it has no stack";
    };
  }

  /** The glossary's term. */
  public static String term(Use use) {
    return switch (use) {
      case PARAMETERS -> "parameters";
      case GRADIENTS -> "gradients";
      case OPTIMIZER_STATE -> "optimizer-state";
      case ACTIVATIONS -> "activations";
      case KV_CACHE -> "kv-cache";
      case KEPT_RESULTS -> "kept-results";
      case TEMPORARY -> "temporary-results";
      case WORKSPACES -> "workspace";
      case COMMUNICATION -> "collective";
      case OTHER, NO_STACK -> "site";
    };
  }

  static BudgetView.Look look(Use use) {
    return switch (use) {
      case PARAMETERS -> new BudgetView.Look("use-parameters", "");
      case GRADIENTS -> new BudgetView.Look("use-gradients", "");
      case OPTIMIZER_STATE -> new BudgetView.Look("use-optimizer-state", "");
      case ACTIVATIONS -> new BudgetView.Look("use-activations", "");
      case KV_CACHE -> new BudgetView.Look("use-kv-cache", "");
      case KEPT_RESULTS -> new BudgetView.Look("use-kept-results", "stripes");
      case TEMPORARY -> new BudgetView.Look("use-temporary", "");
      case WORKSPACES -> new BudgetView.Look("use-workspaces", "");
      case COMMUNICATION -> new BudgetView.Look("use-communication", "");
      case OTHER -> new BudgetView.Look("use-other", "dots");
      case NO_STACK -> new BudgetView.Look("use-no-stack", "stripes");
    };
  }

  /** The position of a use among the rows. */
  static int order(String item) {
    return Arrays.stream(Use.values()).map(Use::id).toList().indexOf(item);
  }

  /** Such as {@code failure}: the parameter {@code at} of URLs. */
  static String at(Moment moment) {
    return switch (moment) {
      case FAILURE -> "failure";
      case END -> "end";
      case PEAK -> "peak";
    };
  }

  static String label(Moment moment) {
    return switch (moment) {
      case FAILURE -> "when the request failed";
      case END -> "at the end";
      case PEAK -> "at the peak";
    };
  }

  /** The sort order of sites that lists the memory of a moment. */
  static String sites(Moment moment) {
    return moment == Moment.PEAK ? "peak" : "live";
  }
}
