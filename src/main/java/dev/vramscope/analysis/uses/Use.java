package dev.vramscope.analysis.uses;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an allocation is used for. */
public enum Use {
  /** Parameters and buffers of the model. */
  PARAMETERS,
  /** Gradients of the parameters. */
  GRADIENTS,
  /** Values that an optimizer keeps from step to step, such as momentum. */
  OPTIMIZER_STATE,
  /** Results of the forward pass, kept for the backward pass. */
  ACTIVATIONS,
  /** Keys and values of attention, which a model that generates keeps from token to token. */
  KV_CACHE,
  /** What the program keeps from step to step: outputs, losses, the state of metrics. */
  KEPT_RESULTS,
  /**
   * Results within the backward pass, within one step of the optimizer, or within a forward pass
   * without a backward pass.
   */
  TEMPORARY,
  /** Work memory of cuBLAS and cuDNN. */
  WORKSPACES,
  /** Buffers of collective operations. */
  COMMUNICATION,
  /** Allocated with a stack that no rule knows. */
  OTHER,
  /** Allocated without a recorded stack, as on the thread of the backward pass. */
  NO_STACK;

  /** PyTorch's profiler has the singular of some of these names. */
  private static final Map<String, Use> DECLARED =
      Map.ofEntries(
          Map.entry("parameter", PARAMETERS),
          Map.entry("weight", PARAMETERS),
          Map.entry("gradient", GRADIENTS),
          Map.entry("grad", GRADIENTS),
          Map.entry("optimizer", OPTIMIZER_STATE),
          Map.entry("optimizer_state", OPTIMIZER_STATE),
          Map.entry("activation", ACTIVATIONS),
          Map.entry("kv_cache", KV_CACHE),
          Map.entry("kept_result", KEPT_RESULTS),
          Map.entry("autograd_detail", TEMPORARY),
          Map.entry("temporary", TEMPORARY),
          Map.entry("workspace", WORKSPACES),
          Map.entry("communication", COMMUNICATION),
          Map.entry("input", OTHER));

  /** Its name in JSON, such as {@code optimizer-state}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Its name in a sentence, such as {@code optimizer state}. */
  public String words() {
    return this == KV_CACHE ? "key-value cache" : name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** The use that a program has declared by a word, such as {@code ACTIVATION}; null if unknown. */
  static @Nullable Use declared(String word) {
    String name = word.strip().toLowerCase(Locale.ROOT).replace('-', '_').replace(' ', '_');
    Use use = DECLARED.get(name);
    return use == null && name.endsWith("s")
        ? DECLARED.get(name.substring(0, name.length() - 1))
        : use;
  }
}
