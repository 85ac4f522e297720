package dev.vramscope.explain.library;

import static dev.vramscope.explain.reading.MessageForm.BYTES;

import dev.vramscope.explain.findings.FieldName;
import dev.vramscope.explain.findings.LogMessage;
import dev.vramscope.explain.findings.Memory;
import dev.vramscope.explain.findings.MessageKind;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;

/** ONNX Runtime's arena. */
public final class OnnxRuntime implements MessageProducer {
  /** A failed request. */
  public static final MessageKind ONNXRUNTIME =
      MessageKind.failure(
          "onnxruntime",
          Memory.DEVICE,
          "ONNX Runtime’s arena",
          "a failed request of ONNX Runtime’s arena");

  @Override
  public String name() {
    return "ONNX Runtime";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                ONNXRUNTIME,
                "(?:running [A-Za-z0-9_]{1,60} node\\. Name:'[^']{1,200}' .{1,500}?)?"
                    + "Failed to allocate memory for requested buffer of size",
                "Failed to allocate memory for requested buffer")
            .words(FieldName.OPERATION, "node\\. Name:'([^']{1,200})'")
            .bytes(FieldName.REQUESTED, "requested buffer of size " + BYTES));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "Non-zero status code returned while running Conv node. Name:'/up/conv' Status Message:"
            + " bfc_arena.cc:376 AllocateRawInternal Failed to allocate memory for requested buffer"
            + " of size 536870912");
  }

  @Override
  public Conclusion conclude(LogMessage finding, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(finding);
    String size = finding.ofRequested();
    conclusion
        .headline(
            "ONNX Runtime’s arena could not serve a request"
                + size
                + finding
                    .written(FieldName.OPERATION)
                    .map(name -> " of the node " + name)
                    .orElse("")
                + ".")
        .certain("The arena asked the driver for a new region and got none.")
        .unknown("How much the arena holds, how large the device is, and who else uses it.")
        .remedy(
            "By default the arena doubles its regions. Ask for what is needed only, if the device"
                + " is shared or nearly full.",
            "{\"arena_extend_strategy\": \"kSameAsRequested\"}  # options of CUDAExecutionProvider")
        .next(CollectionAdvice.PROCESSES);
    return conclusion.build();
  }
}
