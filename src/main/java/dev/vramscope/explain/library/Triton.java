package dev.vramscope.explain.library;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.BYTES;

import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;

/** Kernels that need more memory on the chip than a multiprocessor has: Triton, ptxas, Pallas. */
public final class Triton implements MessageProducer {
  private static final MessageKind SHARED =
      MessageKind.failure(
          "shared-memory",
          Memory.ON_CHIP,
          "The kernel",
          "a kernel that needs more memory on the chip than there is");

  private static final String SPACE = "(shared memory|tensor memory|registers|shared data)";

  @Override
  public String name() {
    return "Triton and other kernels (memory on the chip)";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                SHARED,
                // torch.compile names the kernel in the place of the kind of memory.
                "out of resources?: (?:[a-z ]{3,30},|[A-Za-z0-9_]{1,200},?) Required: [0-9]",
                "out of resource")
            .words(FieldName.MEMORY_SPACE, "out of resources?: ([a-z ]{3,30}),")
            .bytes(FieldName.REQUESTED, "Required: " + BYTES)
            .bytes(FieldName.LIMIT, "Hardware limit: ?" + BYTES),
        MessageForm.of(
                SHARED,
                "uses too much shared data \\(0x[0-9a-f]{1,8} bytes, 0x[0-9a-f]{1,8} max"
                    + "|[Ss]hared memory size limit exceeded|exceeds available shared memory",
                "too much shared data",
                "hared memory size limit",
                "exceeds available shared memory")
            .words(FieldName.MEMORY_SPACE, SPACE)
            .hexadecimal(FieldName.REQUESTED, "shared data \\(0x([0-9a-f]{1,8}) bytes")
            .hexadecimal(
                FieldName.LIMIT, "shared data \\(0x[0-9a-f]{1,8} bytes, 0x([0-9a-f]{1,8}) max")
            .bytes(FieldName.REQUESTED, "requested:? " + BYTES)
            .bytes(FieldName.LIMIT, "available:? " + BYTES));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "triton.runtime.autotuner.OutOfResources: out of resource: shared memory, Required: 147456,"
            + " Hardware limit: 101376. Reducing block sizes or `num_stages` may help.",
        "RuntimeError: No valid triton configs. OutOfMemoryError: out of resource: triton_mm"
            + " Required: 196608 Hardware limit:101376 Reducing block sizes or `num_stages` may"
            + " help.",
        "ptxas error   : Entry function 'attention' uses too much shared data (0x1c000 bytes,"
            + " 0xc000 max)");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    String space = message.written(FieldName.MEMORY_SPACE).orElse("shared memory");
    String needed =
        message.quantity(FieldName.REQUESTED).map(Amounts::text).orElse("more than there is");
    return new Conclusion.Builder(message)
        .headline(
            "A kernel needs more "
                + space
                + " than a multiprocessor of this GPU has: "
                + needed
                + message.quantity(FieldName.LIMIT).map(limit -> " of " + text(limit)).orElse("")
                + ".")
        .certain(
            "It is memory on the chip, for each block of threads, not the memory of the device: the"
                + " kernel cannot be started at all, however much device memory is free.")
        .likely(
            "The kernel’s block sizes were chosen for a GPU with more "
                + space
                + " on the chip than this one.")
        .remedy(
            "Use smaller block sizes or fewer stages for this GPU.",
            "triton.Config({\"BLOCK_M\": 64, \"BLOCK_N\": 64}, num_stages=2)")
        .remedy(
            "If the kernel is of a library, use a version of it that knows this GPU, or another"
                + " implementation.",
            "")
        .build();
  }
}
