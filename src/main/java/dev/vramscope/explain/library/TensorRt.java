package dev.vramscope.explain.library;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** TensorRT. */
public final class TensorRt implements MessageProducer {
  private static final MessageKind REFUSED =
      MessageKind.failure("tensorrt", Memory.DEVICE, "TensorRT", "a failed request of TensorRT");

  private static final MessageKind EXECUTOR =
      MessageKind.failure(
          "tensorrt-llm",
          Memory.DEVICE,
          "TensorRT-LLM",
          "a part that TensorRT-LLM could not create");

  private static final FieldName COMPONENT = new FieldName("component", "Part");
  private static final FieldName BEFORE_MODEL =
      new FieldName("free-before-model", "Free before the model");
  private static final FieldName AFTER_MODEL =
      new FieldName("free-after-model", "Free after the model");
  private static final FieldName AFTER_CACHE =
      new FieldName("free-after-cache", "Free after the KV cache");

  private static final String GIB = "GiB";

  private static final MessageKind TACTIC =
      MessageKind.warning(
          "tensorrt-tactic",
          Memory.DEVICE,
          "TensorRT",
          "a tactic that TensorRT skipped for lack of memory");

  /** The memory of a MIG instance stands in the name of its profile. */
  private static final Pattern MIG =
      Pattern.compile("\\bMIG [0-9]g\\.([0-9]{1,3})gb\\b", Pattern.CASE_INSENSITIVE);

  @Override
  public String name() {
    return "TensorRT and TensorRT-LLM";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                EXECUTOR,
                "Executor creation failed due to insufficient GPU memory",
                "due to insufficient GPU memory")
            .part("could not be created: ", "could not be created: ")
            .words(COMPONENT, "could not be created: (.{3,120}?) Total GPU memory")
            .inUnit(FieldName.TOTAL, "Total GPU memory \\(GiB\\): ([0-9]{1,6}\\.[0-9]{1,4})", GIB)
            .inUnit(
                FieldName.FREE,
                "before component creation attempt \\(GiB\\): ([0-9]{1,6}\\.[0-9]{1,4})",
                GIB)
            .inUnit(BEFORE_MODEL, "\\bModel: ([0-9]{1,6}\\.[0-9]{1,4}) / ", GIB)
            .inUnit(
                AFTER_MODEL, "\\bModel: [0-9]{1,6}\\.[0-9]{1,4} / ([0-9]{1,6}\\.[0-9]{1,4})", GIB)
            .inUnit(
                AFTER_CACHE,
                "KV cache[^/:]{0,80}: [0-9]{1,6}\\.[0-9]{1,4} / ([0-9]{1,6}\\.[0-9]{1,4})",
                GIB),
        MessageForm.of(TACTIC, "Tactic Device request: [0-9]", "Tactic Device request:")
            .bytes(FieldName.REQUESTED, "Device request: " + SIZE)
            .bytes(FieldName.FREE, "Available: " + SIZE),
        MessageForm.of(
                REFUSED,
                "defaultAllocator\\.cpp::[A-Za-z]{1,40}::[0-9]{1,6}\\] Error Code"
                    + " [0-9]{1,3}: Cuda Runtime \\(out of memory\\)|OutOfMemory \\(Requested size"
                    + " was [0-9]|Error Code [0-9]{1,3}: OutOfMemory",
                "defaultAllocator.cpp",
                "OutOfMemory")
            .part(
                "Requested amount of GPU memory \\([0-9]{1,20} bytes\\)",
                "Requested amount of GPU memory")
            .bytes(
                FieldName.REQUESTED,
                "Requested amount of GPU memory \\(" + SIZE + "|Requested size was " + SIZE));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "[TRT-LLM] [E] Failed to initialize executor on rank 0: Executor creation failed due to"
            + " insufficient GPU memory.\n\n"
            + "The following component could not be created: Initial KV cache\n"
            + "Total GPU memory (GiB): 79.11\n"
            + "Free GPU memory before component creation attempt (GiB): 3.97",
        "[defaultAllocator.cpp::allocateAsync::44] Error Code 1: Cuda Runtime (out of"
            + " memory)\nRequested amount of GPU memory (12616466432 bytes) could not be"
            + " allocated.",
        "[W] Tactic Device request: 4468MB Available: 3904MB. Device memory is insufficient to use"
            + " tactic.");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    Optional<Quantity> requested = message.quantity(FieldName.REQUESTED);
    String size = requested.map(Amounts::text).map(" of "::concat).orElse("");
    if (message.kind() == EXECUTOR) {
      executor(message, conclusion);
      return conclusion.build();
    }
    if (message.kind() == TACTIC) {
      return conclusion
          .headline(
              "TensorRT skipped a tactic that needs "
                  + requested.map(Amounts::text).orElse("more memory")
                  + message
                      .quantity(FieldName.FREE)
                      .map(free -> ", more than the " + Amounts.text(free) + " that were free.")
                      .orElse(" than was free."))
          .certain(
              "This is a warning, not a failure: it builds the engine with another tactic, which"
                  + " may be slower.")
          .remedy("Build on a GPU with more free memory, if the engine is too slow.", "")
          .build();
    }
    conclusion.headline("TensorRT got no memory from the driver for a request" + size + ".");
    Matcher mig = MIG.matcher(context.text());
    Optional<Quantity> slice =
        mig.find()
            ? Optional.of(new Quantity(Long.parseLong(mig.group(1)) << 30, 1L << 29))
            : Optional.empty();
    if (slice.isPresent()
        && requested.isPresent()
        && requested.get().bytes() > slice.get().bytes()) {
      conclusion
          .certain(
              "The request is larger than the whole MIG instance ("
                  + mig.group().strip()
                  + ", "
                  + mig.group(1)
                  + " GiB): it cannot succeed there, whatever else is in use. The whole GPU’s"
                  + " memory does not count.")
          .remedy("Use a larger MIG instance.", "nvidia-smi mig -lgip");
    } else {
      conclusion
          .unknown(
              "How much memory was free, and who holds the rest"
                  + (requested.isEmpty() ? "; how large the request was." : "."))
          .next(CollectionAdvice.PROCESSES);
    }
    return conclusion
        .likely(
            "It is the memory of an execution context: its size follows from the largest shapes of"
                + " the optimization profile, also if inputs are smaller.")
        .remedy(
            "Build the engine with a profile of smaller maximum shapes (batch, sequence length).",
            "trtexec --maxShapes=input:8x512")
        .build();
  }

  private static void executor(LogMessage message, Conclusion.Builder conclusion) {
    Optional<Quantity> before = message.quantity(BEFORE_MODEL);
    Optional<Quantity> after = message.quantity(AFTER_MODEL);
    Optional<Quantity> model =
        before.isPresent() && after.isPresent() ? Amounts.minus(before, after) : Optional.empty();
    Optional<Quantity> free = message.quantity(FieldName.FREE);
    conclusion
        .headline(
            "TensorRT-LLM did not start: "
                + message.written(COMPONENT).map(name -> "“" + name + "”").orElse("a part")
                + " could not be created with "
                + free.map(Amounts::text).orElse("what was left")
                + " free.")
        .certain(
            "It was created after the others, and the GPU had too little left for it"
                + message
                    .quantity(FieldName.TOTAL)
                    .map(total -> "; the GPU has " + text(total) + " in all")
                    .orElse("")
                + ".");
    model.ifPresent(
        bytes ->
            conclusion.certain(
                "The model took "
                    + text(bytes)
                    + ", from "
                    + text(before.get())
                    + " free to "
                    + text(after.get())
                    + ": the largest part of the GPU."));
    conclusion
        .remedy(
            "Reduce max_num_tokens: buffers of the model, and what is created during usage, grow"
                + " with it.",
            "max_num_tokens: 2048")
        .remedy(
            "Or make the weights smaller: quantize them, or shard them over more GPUs (tensor or"
                + " pipeline parallelism).",
            "tensor_parallel_size: 2")
        .unknown("How much the part asked for.");
    conclusion.total(message.quantity(FieldName.TOTAL));
    conclusion.share(Share.Kind.ALLOCATED, "Model", model);
    conclusion.share(Share.Kind.FREE, "Free on the device", free);
  }
}
