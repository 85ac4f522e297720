package dev.vramscope.explain.library;

import static dev.vramscope.explain.reading.MessageForm.BYTES;

import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.producer.ServingProgram;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** FlashInfer, which asks the driver itself, and divides a buffer of its own. */
public final class FlashInfer implements MessageProducer {
  private static final MessageKind REFUSED =
      MessageKind.failure(
          "flashinfer", Memory.DEVICE, "FlashInfer", "a failed request of FlashInfer");

  private static final MessageKind WORKSPACE =
      MessageKind.failure(
          "flashinfer-workspace",
          Memory.DEVICE,
          "FlashInfer",
          "FlashInfer’s workspace buffer that is too small");

  @Override
  public String name() {
    return "FlashInfer";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                REFUSED,
                "CUDA Error: out of memory \\([0-9]{1,3}\\) [^\\s]{0,200}flashinfer"
                    + "|Batch[A-Za-z]{1,60} failed with error out of memory",
                "CUDA Error: out of memory",
                "failed with error out of memory")
            .part("Batch[A-Za-z]{1,60} failed with error", "failed with error out of memory")
            .words(FieldName.OPERATION, "at function ([A-Za-z_]{1,40})"),
        MessageForm.of(
                WORKSPACE,
                "Failed to allocate memory for [a-z_]{1,60} with size [0-9.]{1,20}(?:"
                    + " ?[A-Za-z]{1,5})? and alignment [0-9]{1,6} in AlignedAllocator",
                "in AlignedAllocator")
            .words(FieldName.BUFFER_NAME, "allocate memory for ([a-z_]{1,60}) with size")
            .bytes(FieldName.REQUESTED, "with size " + BYTES));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "CUDA Error: out of memory (2) /build/3rdparty/flashinfer/include/flashinfer/handler.cuh:"
            + " line 104 at function cudaMallocAsync(&float_buffer_, size, stream_)",
        "RuntimeError: Failed to allocate memory for batch_prefill_tmp_v with size 536870912 and"
            + " alignment 16 in AlignedAllocator");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    if (message.kind() == WORKSPACE) {
      return conclusion
          .headline(
              "FlashInfer’s workspace buffer is too small for "
                  + message.written(FieldName.BUFFER_NAME).orElse("an array")
                  + message
                      .quantity(FieldName.REQUESTED)
                      .map(Amounts::text)
                      .map(size -> ", " + size)
                      .orElse("")
                  + ".")
          .certain(
              "The buffer is one that the program gave FlashInfer; it is divided, and no request to"
                  + " the GPU failed.")
          .remedy(
              "Give it a larger workspace buffer.",
              "torch.empty(1 << 30, dtype=torch.uint8, device=\"cuda\")")
          .remedy("Or prefill fewer tokens at once.", "")
          .build();
    }
    String call = message.written(FieldName.OPERATION).map(name -> " (" + name + ")").orElse("");
    conclusion
        .headline("FlashInfer got no memory from the driver" + call + ".")
        .certain(
            "FlashInfer asks the driver itself"
                + call
                + ", outside PyTorch’s allocator: what that"
                + " has reserved is not available to it, and a snapshot of PyTorch does not show"
                + " the request.")
        .likely(
            "PyTorch’s allocator had reserved nearly the whole GPU: servers give it a fixed share"
                + " for weights and KV cache.");
    Optional<Advice> share = context.serving().map(ServingProgram::smallerShare);
    conclusion.remedy(
        share.orElse(
            new Advice(
                "Leave more of the GPU free for libraries: lower the share of memory that the"
                    + " server takes (its memory fraction).",
                "")));
    return conclusion
        .unknown("How much it asked for, and how much was free.")
        .next(CollectionAdvice.PROCESSES)
        .build();
  }
}
