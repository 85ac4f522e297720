package dev.vramscope.explain.library;

import static dev.vramscope.explain.reading.MessageForm.BYTES;

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
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** ONNX Runtime's arena. */
public final class OnnxRuntime implements MessageProducer {
  /** A failed request. */
  public static final MessageKind ONNXRUNTIME =
      MessageKind.failure(
          "onnxruntime",
          Memory.DEVICE,
          "ONNX Runtime’s arena",
          "a failed request of ONNX Runtime’s arena");

  private static final MessageKind START =
      MessageKind.context(
          "onnxruntime-start",
          Memory.DEVICE,
          "ONNX Runtime’s arena",
          "the settings of ONNX Runtime’s arena");

  private static final FieldName ARENA_FREE =
      new FieldName("arena-free", "Left in the arena, below its limit");

  @Override
  public String name() {
    return "ONNX Runtime";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                ONNXRUNTIME,
                "(?:running [A-Za-z0-9_]{1,60} node\\. Name:'[^']{1,200}' .{1,500}?)?(?:Failed to"
                    + " allocate memory for requested buffer of size|Available memory of"
                    + " [0-9][0-9.,]{0,25} ?[A-Za-z]{0,5} is smaller than requested bytes of)",
                "Failed to allocate memory for requested buffer",
                "is smaller than requested bytes of")
            .words(FieldName.OPERATION, "node\\. Name:'([^']{1,200})'")
            .bytes(
                FieldName.REQUESTED,
                "requested buffer of size " + BYTES + "|requested bytes of " + BYTES)
            .bytes(ARENA_FREE, "Available memory of " + BYTES),
        MessageForm.of(
                START, "gpu_mem_limit|Creating BFCArena for", "gpu_mem_limit", "BFCArena for")
            .bytes(
                FieldName.LIMIT, "gpu_mem_limit['\": =]{1,6}" + BYTES + "|memory limit: " + BYTES));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "Non-zero status code returned while running Conv node. Name:'/up/conv' Status Message:"
            + " bfc_arena.cc:376 AllocateRawInternal Failed to allocate memory for requested buffer"
            + " of size 536870912",
        "bfc_arena.cc:376 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool) Available"
            + " memory of 73400320 is smaller than requested bytes of 268435456");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    String size = message.ofRequested();
    conclusion.headline(
        "ONNX Runtime’s arena could not serve a request"
            + size
            + message.written(FieldName.OPERATION).map(name -> " of the node " + name).orElse("")
            + ".");
    message
        .quantity(ARENA_FREE)
        .ifPresentOrElse(
            free -> limited(free, context.numbers().quantity(FieldName.LIMIT), conclusion),
            () -> refused(conclusion));
    return conclusion.build();
  }

  private static void refused(Conclusion.Builder conclusion) {
    conclusion
        .certain("The arena asked the driver for a new region and got none.")
        .unknown("How much the arena holds, how large the device is, and who else uses it.")
        .remedy(
            "By default the arena doubles its regions. Ask for what is needed only, if the device"
                + " is shared or nearly full.",
            "{\"arena_extend_strategy\": \"kSameAsRequested\"}  # options of CUDAExecutionProvider")
        .next(CollectionAdvice.PROCESSES);
  }

  private static void limited(
      Quantity free, Optional<Quantity> limit, Conclusion.Builder conclusion) {
    conclusion
        .certain(
            "The arena has a limit of its own"
                + limit.map(Amounts::text).map(" (gpu_mem_limit) of "::concat).orElse("")
                + ", of which "
                + Amounts.text(free)
                + " were left, less than the request. It is not the GPU that refused it.")
        .unknown("Whether the GPU has room for a larger arena.")
        .remedy(
            "Raise the limit, if the GPU has the memory.",
            "{\"gpu_mem_limit\": …}  # options of CUDAExecutionProvider")
        .remedy(
            "By default the arena doubles its regions and may reach its limit with much of it"
                + " unused. Let it ask for what is needed only.",
            "{\"arena_extend_strategy\": \"kSameAsRequested\"}")
        .remedy("Or let the program ask for less: a smaller batch or smaller images.", "")
        .next(CollectionAdvice.PROCESSES);
  }
}
