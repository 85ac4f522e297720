package dev.vramscope.explain.torch;

import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;

/** What helps a program on PyTorch, by what it did when the request failed. */
final class TorchRemedies {
  /** What the program did, according to the traceback. */
  enum Phase {
    LOADING,
    OPTIMIZER,
    ANY
  }

  private final Conclusion.Builder conclusion;
  private final TorchBackend backend;
  private final LogContext context;
  private final Phase phase;

  TorchRemedies(
      Conclusion.Builder conclusion, TorchBackend backend, LogContext context, Phase phase) {
    this.conclusion = conclusion;
    this.backend = backend;
    this.context = context;
    this.phase = phase;
  }

  /** What to do where the program holds too much; in a server, and while loading, little of it. */
  void holdLess(String missing) {
    if (phase == Phase.OPTIMIZER) {
      conclusion.remedy(
          "Divide what is there once for each parameter (weights, gradients, optimizer state) over"
              + " the GPUs, or move the state to the CPU. In an optimizer’s step no activations are"
              + " live, so that a smaller batch does not help.",
          "torch.distributed.fsdp.fully_shard(model)  # or DeepSpeed ZeRO");
      return;
    }
    if (phase == Phase.LOADING) {
      conclusion.remedy(
          "Make the weights smaller, or divide them: a checkpoint that is already quantized to 8 or"
              + " 4 bits, a smaller model, a part of it on the CPU (offload), or more GPUs (tensor"
              + " parallelism).",
          "");
      return;
    }
    if (context.serving().isPresent()) {
      conclusion.remedy(context.serving().get().smallerShare());
      conclusion.remedy(context.serving().get().lessAtOnce());
      return;
    }
    conclusion.remedy(
        (missing.isEmpty()
                ? "The program has to hold less: "
                : "At least " + missing + " has to be freed, or not allocated: ")
            + "a smaller batch or sequence, activation checkpointing, sharded or 8-bit optimizer"
            + " states, fewer copies. What holds the memory decides which of these helps; a"
            + " snapshot shows it.",
        "");
  }

  /** Expandable segments, unless they are on; where there are none, other settings. */
  void expandable() {
    if (context.isExpandableUnsupported()) {
      conclusion.certain(
          "The log says that expandable segments are not supported on this platform.");
      conclusion.remedy(backend.unsplitBlocks());
    } else if (!context.isExpandable()) {
      conclusion.remedy(backend.expandableSegments());
    }
  }
}
