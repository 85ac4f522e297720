package dev.vramscope.explain.library;

import dev.vramscope.explain.findings.FieldName;
import dev.vramscope.explain.findings.LogMessage;
import dev.vramscope.explain.findings.Memory;
import dev.vramscope.explain.findings.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;

/**
 * Errors of kernels whose words speak of memory, and which have nothing to do with a lack of it.
 */
public final class DeviceFaults implements MessageProducer {
  private static final MessageKind FAULT =
      MessageKind.notice("device-fault", Memory.NONE, "A kernel", "an error of a kernel");

  @Override
  public String name() {
    return "Errors of kernels that are no lack of memory";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                FAULT,
                "an illegal memory access was encountered|device-side assert triggered"
                    + "|misaligned address|CUDA_ERROR_ILLEGAL_ADDRESS|cudaErrorIllegalAddress"
                    + "|CUDA_ERROR_LAUNCH_FAILED|unspecified launch failure"
                    + "|Memory access fault by GPU node|an illegal instruction was encountered",
                "an illegal memory access",
                "device-side assert",
                "misaligned address",
                "CUDA_ERROR_ILLEGAL_ADDRESS",
                "cudaErrorIllegalAddress",
                "CUDA_ERROR_LAUNCH_FAILED",
                "unspecified launch failure",
                "Memory access fault by GPU",
                "an illegal instruction")
            .words(
                FieldName.REASON,
                "(illegal memory access|device-side assert|misaligned address|ILLEGAL_ADDRESS"
                    + "|IllegalAddress|LAUNCH_FAILED|launch failure|Memory access fault"
                    + "|illegal instruction)"));
  }

  @Override
  public List<String> examples() {
    return List.of("RuntimeError: CUDA error: device-side assert triggered");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
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
        .next(
            new Advice(
                "Run it with synchronous kernels: the traceback then ends at the call that failed.",
                "CUDA_LAUNCH_BLOCKING=1"))
        .next(
            new Advice(
                "Let NVIDIA’s tool name the kernel and the address.",
                "compute-sanitizer --tool memcheck python train.py"))
        .build();
  }
}
