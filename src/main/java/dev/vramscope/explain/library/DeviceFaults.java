package dev.vramscope.explain.library;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Facts;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Errors of kernels whose words speak of memory, and which have nothing to do with a lack of it.
 */
public final class DeviceFaults implements MessageProducer {
  /** A kernel failed. */
  public static final MessageKind FAULT =
      MessageKind.notice("device-fault", Memory.NONE, "A kernel", "an error of a kernel");

  private static final FieldName ASSERTION = new FieldName("assertion", "Assertion of the kernel");

  /** An assertion that compares an index, a label or a target with how many there are. */
  private static final Pattern INDEX =
      Pattern.compile("(?i)ind(?:ex|ices)|srcSelect|n_classes|num_?classes|target|\\bt <|label");

  @Override
  public String name() {
    return "Errors of kernels that are no lack of memory";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                FAULT,
                "block: \\[[0-9,]{1,20}\\], thread: \\[[0-9,]{1,20}\\] Assertion `"
                    + "|an illegal memory access was encountered|device-side assert triggered"
                    + "|misaligned address|CUDA_ERROR_ILLEGAL_ADDRESS|cudaErrorIllegalAddress"
                    + "|CUDA_ERROR_LAUNCH_FAILED|unspecified launch failure"
                    + "|Memory access fault by GPU node|an illegal instruction was encountered",
                "] Assertion `",
                "an illegal memory access",
                "device-side assert",
                "misaligned address",
                "CUDA_ERROR_ILLEGAL_ADDRESS",
                "cudaErrorIllegalAddress",
                "CUDA_ERROR_LAUNCH_FAILED",
                "unspecified launch failure",
                "Memory access fault by GPU",
                "an illegal instruction")
            .words(ASSERTION, "\\] Assertion `([^`\\n]{1,200})` failed")
            .words(
                FieldName.REASON,
                "(illegal memory access|device-side assert|misaligned address|ILLEGAL_ADDRESS"
                    + "|IllegalAddress|LAUNCH_FAILED|launch failure|Memory access fault"
                    + "|illegal instruction)"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "RuntimeError: CUDA error: device-side assert triggered",
        "Indexing.cu:1292: indexSelectLargeIndex: block: [61,0,0], thread: [64,0,0] Assertion"
            + " `srcIndex < srcSelectDimSize` failed.");
  }

  /** Each block of threads writes its own, and the call that failed comes after them. */
  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return failures.reversed().stream()
        .filter(failure -> failure.first().kind() == FAULT)
        .filter(failure -> failure.first().process().equals(message.process()))
        .filter(failure -> failure.first().written(ASSERTION).isPresent())
        .findFirst();
  }

  private static Conclusion asserted(LogMessage message, String assertion) {
    boolean isIndex = INDEX.matcher(assertion).find() && !assertion.contains("one");
    Conclusion.Builder conclusion =
        new Conclusion.Builder(message)
            .headline(
                "A kernel’s assertion failed ("
                    + assertion
                    + "): that is a fault of the program, not a lack of memory.")
            .certain(
                (isIndex
                        ? "An index lies outside of the table that it is for, such as a token"
                            + " beyond the rows of an embedding, or a label beyond the classes. "
                        : "")
                    + "Errors of later calls, such as CUBLAS_STATUS_ALLOC_FAILED, only follow from"
                    + " it: after a failed assertion, every call of this process to the device"
                    + " fails. A smaller batch or a larger GPU does not remove the fault.");
    if (isIndex) {
      conclusion.remedy(
          "Compare the largest index with the size of its table: tokens with the rows of the"
              + " embedding (after tokens were added, resize it), labels with the classes.",
          "assert ids.max() < model.get_input_embeddings().num_embeddings  #"
              + " model.resize_token_embeddings(len(tokenizer))");
    }
    return conclusion
        .unknown("Which line of the program made the value.")
        .next(SYNCHRONOUS)
        .build();
  }

  private static final Advice SYNCHRONOUS =
      new Advice(
          "Run it with synchronous kernels: the traceback then ends at the call that failed. On the"
              + " CPU, the error names the line and the index.",
          "CUDA_LAUNCH_BLOCKING=1");

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Optional<String> assertion = new Facts(failure).written(ASSERTION);
    if (assertion.isPresent()) {
      return asserted(message, assertion.get());
    }
    boolean isAddress =
        message
            .written(FieldName.REASON)
            .filter(reason -> reason.matches("(?i).*(?:access|address).*"))
            .isPresent();
    return new Conclusion.Builder(message)
        .headline(
            isAddress
                ? "A kernel accessed an invalid address: that is a fault of the program, not a lack"
                    + " of memory."
                : "A kernel failed ("
                    + message.written(FieldName.REASON).orElse("an error of the device")
                    + "): that is a fault of the program, not a lack of memory.")
        .certain(
            "No request was refused. A smaller batch or a larger GPU does not remove the fault,"
                + " even if it hides it.")
        .likely(
            isAddress
                ? "An index out of bounds, a tensor that was freed while a kernel still used it, or"
                    + " a kernel that does not support these shapes."
                : "An index out of bounds, such as a label or a token beyond the size of its"
                    + " table.")
        .unknown(
            "Which kernel it was: such errors are reported at a later call, so the traceback may be"
                + " of other code.")
        .next(SYNCHRONOUS)
        .next(
            new Advice(
                "Let NVIDIA’s tool name the kernel and the address.",
                "compute-sanitizer --tool memcheck python train.py"))
        .build();
  }
}
