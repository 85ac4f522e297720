package dev.vramscope.explain.library;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.BYTES;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** Pinned (page-locked) memory of the host: of TensorFlow, XLA, PyTorch and llama.cpp. */
public final class PinnedMemory implements MessageProducer {
  private static final MessageKind REFUSED =
      MessageKind.failure(
          "pinned", Memory.PINNED_HOST, "The driver", "a failed request of pinned host memory");

  private static final MessageKind DONE_WITHOUT =
      MessageKind.warning(
          "pinned-warning",
          Memory.PINNED_HOST,
          "llama.cpp",
          "pinned host memory that was refused and done without");

  @Override
  public String name() {
    return "Pinned host memory (TensorFlow, XLA, PyTorch, llama.cpp)";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                DONE_WITHOUT,
                "failed to (?:allocate|pin) [0-9.]{1,20} ?[A-Za-z]{1,5} of (?:pinned )?memory: ",
                " of pinned memory:",
                " of memory:")
            .bytes(FieldName.REQUESTED, "failed to (?:allocate|pin) " + SIZE),
        MessageForm.of(
                REFUSED,
                "failed to alloc(?:ate)? [0-9.]{1,20} ?[KMG]?i?B?(?:ytes|bytes)? ?(?:bytes )?(?:on"
                    + " host|of host memory|from host)(?:: CUDA_ERROR_OUT_OF_MEMORY)?",
                "failed to alloc")
            .part(
                "could not allocate pinned host memory of size: [0-9]",
                "could not allocate pinned host memory")
            .bytes(
                FieldName.REQUESTED,
                "failed to alloc(?:ate)? " + BYTES + "|pinned host memory of size: " + BYTES),
        MessageForm.of(
            REFUSED,
            "pin_memory(?:\\([^()\\n]{0,100}\\)|=True[^:\\n]{0,200}\\))[\\s^~]{0,200}"
                + "[A-Za-z_.]{0,60}Error: (?:CUDA|HIP) error: out of memory",
            "pin_memory"),
        MessageForm.of(
            REFUSED,
            "Caught [A-Za-z]{1,40}Error in pin memory thread|cudaHostAlloc\\S{0,20}[^.]{0,60}out of"
                + " memory|cudaErrorHostMemory",
            "in pin memory thread",
            "cudaHostAlloc",
            "cudaErrorHostMemory"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "WARNING: failed to allocate 416.00 MB of pinned memory: out of memory",
        "cuda_driver.cc:893] failed to alloc 536870912 bytes on host: CUDA_ERROR_OUT_OF_MEMORY: out"
            + " of memory\ngpu_host_allocator.h:44] could not allocate pinned host memory of size:"
            + " 536870912",
        "RuntimeError: Caught RuntimeError in pin memory thread for device 0.",
        "    return tensor.pin_memory()\nRuntimeError: CUDA error: out of memory");
  }

  /** Programs try again with less each time. */
  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return LogFailure.ofSameKind(message, failures);
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    if (!failure.getFirst().equals(message)) {
      return conclusion.build();
    }
    String size =
        message.quantity(FieldName.REQUESTED).map(Amounts::text).map(" of "::concat).orElse("");
    if (message.kind() == DONE_WITHOUT) {
      return conclusion
          .headline("llama.cpp got no pinned memory of the host" + size + ", and went on without.")
          .certain(
              "This is a warning, not a failure: it is about memory of the host that cannot be"
                  + " paged out, not about the GPU’s. Copies to the GPU may be slower; nothing has"
                  + " to be done.")
          .likely(
              "The system limits pinned memory: in WSL 2 to a part of the host’s, elsewhere by"
                  + " ulimit -l.")
          .build();
    }
    conclusion
        .headline(
            "The driver gave no pinned memory of the host" + size + ": it is not the GPU’s memory.")
        .certain(
            "Pinned (page-locked) memory is memory of the host from which the GPU copies."
                + " Settings of the GPU’s allocator do not change it.");
    if (failure.size() > 1) {
      LogMessage last = failure.getLast();
      conclusion.certain(
          "It is one request, tried "
              + failure.size()
              + " times with less each time"
              + last.quantity(FieldName.REQUESTED)
                  .map(bytes -> ", down to " + text(bytes))
                  .orElse("")
              + ".");
    }
    context
        .numbers()
        .written(FieldName.HOST_USED)
        .ifPresent(
            used ->
                conclusion.certain(
                    "The program reported " + used + " of the host’s memory in use before."));
    return conclusion
        .likely(
            "The host is short of memory, or the system limits pinned memory: WSL 2 (.wslconfig),"
                + " ulimit -l, or the limit of a container.")
        .remedy(
            "Give the host or the container more memory, or raise its limit of pinned memory.",
            "ulimit -l unlimited")
        .remedy(
            "Or pin less: fewer batches in flight between host and GPU.",
            "DataLoader(…, pin_memory=False)")
        .build();
  }
}
