package dev.vramscope.explain.library;

import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.findings.Amounts;
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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** TensorRT. */
public final class TensorRt implements MessageProducer {
  private static final MessageKind REFUSED =
      MessageKind.failure("tensorrt", Memory.DEVICE, "TensorRT", "a failed request of TensorRT");

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
    return "TensorRT";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                TACTIC,
                "Tactic Device request: [0-9]{1,9} ?MB Available: [0-9]{1,9} ?MB",
                "Tactic Device request:")
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
    if (message.kind() == TACTIC) {
      return conclusion
          .headline("TensorRT skipped a tactic that needs more memory than was free.")
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
}
