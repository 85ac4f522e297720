package dev.vramscope.explain.library;

import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;

/**
 * Transformers and Accelerate, which place the modules of a model by the memory that is free: what
 * does not fit the GPUs goes to the CPU or the disk, or is refused.
 */
public final class ModelPlacement implements MessageProducer {
  private static final String LOADER = "The loader of the model";

  private static final MessageKind REFUSED =
      MessageKind.failure(
          "placement-refused",
          Memory.DEVICE,
          LOADER,
          "a model that does not fit into the free memory of the GPUs");

  private static final MessageKind OFFLOADED =
      MessageKind.warning(
          "placement-offloaded",
          Memory.DEVICE,
          LOADER,
          "a model of which a part is on the CPU or the disk");

  @Override
  public String name() {
    return "Transformers and Accelerate (placement of a model)";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
            REFUSED,
            "Some modules are dispatched on the CPU or the disk"
                + "|`?device_map`? had weights offloaded to the disk"
                + "|We need an `offload_(?:dir|folder)` to dispatch"
                + "|precision with CPU or disk offload",
            "dispatched on the CPU",
            "weights offloaded to the disk",
            "` to dispatch",
            "with CPU or disk offload"),
        MessageForm.of(
            OFFLOADED,
            "Some parameters are on the meta device (?:device )?because they were offloaded",
            "on the meta device"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "ValueError: Some modules are dispatched on the CPU or the disk. Make sure you have enough"
            + " GPU RAM to fit the quantized model.",
        "ValueError: The current `device_map` had weights offloaded to the disk. Please provide an"
            + " `offload_folder` for them.",
        "Some parameters are on the meta device because they were offloaded to the cpu.");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    conclusion
        .headline(
            message.kind() == REFUSED
                ? "The model did not fit into the memory that was free on the GPUs when it was"
                    + " loaded."
                : "A part of the model was placed on the CPU or the disk: it did not fit into the"
                    + " memory that was free on the GPUs when it was loaded.")
        .certain(
            message.kind() == REFUSED
                ? "No request failed: the modules are placed by what is free before any weight is"
                    + " loaded. The rest would have gone to the CPU or the disk, which is refused"
                    + " here."
                : "The program goes on, and is much slower: these weights are copied to the GPU"
                    + " each time that they are used.")
        .unknown(
            "Whether the weights are larger than the GPU, or others held a part of it: another"
                + " process, or an earlier model that this process still holds.")
        .remedy(
            "Free the GPU before the model is loaded: end other processes on it, and restart a"
                + " notebook’s kernel that has loaded a model before.",
            "nvidia-smi")
        .remedy(
            "If the GPU was empty: use fewer bits for each weight, a smaller model, or more GPUs.",
            "BitsAndBytesConfig(load_in_4bit=True)")
        .remedy(
            "Or accept the CPU for a part of it, much slower.",
            "BitsAndBytesConfig(load_in_8bit=True, llm_int8_enable_fp32_cpu_offload=True)")
        .next(CollectionAdvice.PROCESSES);
    return conclusion.build();
  }
}
