package dev.vramscope.explain.producer;

/** What a program on PyTorch did when a request failed, according to its traceback. */
public enum ProgramPhase {
  /** A model was loaded or moved to the device, and not run. */
  LOADING(
      "Make the weights smaller, or divide them: a checkpoint that is already quantized to 8 or"
          + " 4 bits, a smaller model, a part of it on the CPU (offload), or more GPUs (tensor"
          + " parallelism).",
      ""),
  /** An optimizer made its state, or used it. */
  OPTIMIZER(
      "Divide what is there once for each parameter (weights, gradients, optimizer state) over"
          + " the GPUs, or move the state to the CPU. In an optimizer’s step no activations are"
          + " live, so that a smaller batch does not help.",
      "torch.distributed.fsdp.fully_shard(model)  # or DeepSpeed ZeRO"),
  /** Results of several steps were put together. */
  RESULTS(
      "Keep less of each result, such as the index of the largest instead of all values, or"
          + " move the results to the CPU as they are computed: joined results need memory for"
          + " the old and the new copy at once.",
      "predictions.append(output.argmax(-1).cpu())"),
  /** A model was evaluated between steps of a training. */
  EVALUATION(
      "Use a smaller batch or shorter inputs in the evaluation, keep fewer of its results, and"
          + " keep no gradients there.",
      "with torch.inference_mode(): …  # per_device_eval_batch_size in TrainingArguments"),
  /** A model computed results for a user; nothing was trained. */
  INFERENCE(
      "Compute less at once: fewer or shorter inputs, fewer tokens or smaller images; or make"
          + " the weights smaller (16 bits or quantized), or keep a part of the model on the"
          + " CPU.",
      ""),
  /** Anything else, such as a step of a training. */
  OTHER(
      "The program has to hold less: a smaller batch or sequence, activation checkpointing, sharded"
          + " or 8-bit optimizer states, fewer copies. What holds the memory decides which of these"
          + " helps; a snapshot shows it.",
      "");

  private final String lessMemory;
  private final String code;

  ProgramPhase(String lessMemory, String code) {
    this.lessMemory = lessMemory;
    this.code = code;
  }

  /** How a program that does this holds less. */
  public Advice lessMemory() {
    return new Advice(lessMemory, code);
  }
}
