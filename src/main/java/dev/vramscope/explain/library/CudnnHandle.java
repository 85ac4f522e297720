package dev.vramscope.explain.library;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** Handles of cuDNN and cuBLAS that XLA and TensorFlow could not create. */
public final class CudnnHandle implements MessageProducer {
  private static final MessageKind NOT_MEMORY =
      MessageKind.notice(
          "library-handle", Memory.NONE, "XLA", "a library that could not be initialized");

  private static final MessageKind FULL =
      MessageKind.failure(
          "library-handle-memory",
          Memory.DEVICE,
          "XLA",
          "a library that could not be initialized on a full GPU");

  /** More than a handle of cuDNN or cuBLAS and its kernels take. */
  private static final long ENOUGH_BYTES = 1L << 30;

  @Override
  public String name() {
    return "cuDNN and cuBLAS handles of XLA and TensorFlow";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                NOT_MEMORY,
                "(?:Could not create|failed to create) (?:cudnn|cublas|cublasLt|cusolver)[A-Za-z]*"
                    + " handle: [A-Z]",
                "ould not create cu",
                "ailed to create cu")
            .part("Memory usage: [0-9]{1,20} bytes free", "Memory usage: ")
            .words(FieldName.OPERATION, "create (cudnn|cublas|cublasLt|cusolver)")
            .words(FieldName.REASON, "handle: ([A-Z_]{5,60})")
            .bytes(FieldName.FREE, "Memory usage: " + SIZE + " free")
            .bytes(FieldName.TOTAL, "bytes free, " + SIZE + " total"));
  }

  @Override
  public List<MessageKind> otherKinds() {
    return List.of(FULL);
  }

  /** Whether memory is the reason follows from how much was free. */
  @Override
  public LogMessage refined(LogMessage message) {
    return message
        .quantity(FieldName.FREE)
        .filter(free -> free.bytes() < ENOUGH_BYTES)
        .map(_ -> message.as(FULL))
        .orElse(message);
  }

  @Override
  public List<String> examples() {
    return List.of(
        "cuda_dnn.cc:532] Could not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR\n"
            + "cuda_dnn.cc:536] Memory usage: 24696061952 bytes free, 25390809088 bytes total.");
  }

  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return failures.reversed().stream()
        .filter(failure -> failure.first().kind() == message.kind())
        .findFirst();
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    if (!failure.getFirst().equals(message)) {
      return conclusion.build();
    }
    Optional<Quantity> free = message.quantity(FieldName.FREE);
    Optional<Quantity> total = message.quantity(FieldName.TOTAL);
    String library = message.written(FieldName.OPERATION).orElse("cudnn");
    String freeOf =
        free.map(Amounts::text).orElse("an unknown part")
            + total.map(all -> " of " + text(all)).orElse("");
    conclusion.headline(
        "XLA could not initialize "
            + library
            + message.written(FieldName.REASON).map(code -> " (" + code + ")").orElse("")
            + (message.kind() == FULL ? ": the GPU had only " : "; ")
            + freeOf
            + (message.kind() == FULL ? " free." : " of the GPU’s memory were free."));
    if (message.kind() == FULL) {
      conclusion
          .likely(
              "The library needs some hundred MiB of its own, outside XLA’s allocator, which takes"
                  + " most of the GPU when it starts.")
          .remedy("Leave memory for libraries.", "XLA_CLIENT_MEM_FRACTION=0.7")
          .remedy("Or find out who else uses the GPU.", "nvidia-smi");
    } else if (free.isPresent()) {
      conclusion
          .certain(
              "Enough memory was free for it ("
                  + freeOf
                  + "): a lack of memory is unlikely, and no request for memory is in the text.")
          .likely(
              "Versions do not match: the cuDNN that is loaded, the one that this build needs,"
                  + " CUDA, and the driver.");
      versions(conclusion);
    } else {
      conclusion
          .unknown("Whether memory is the reason: how much was free is not in the text.")
          .likely("Versions of cuDNN, CUDA and the driver do not match.");
      versions(conclusion);
    }
    conclusion.total(total);
    conclusion.share(Share.Kind.FREE, "Free on the device", free);
    return conclusion.build();
  }

  private static void versions(Conclusion.Builder conclusion) {
    conclusion.remedy(
        "Compare the versions of cuDNN, CUDA and the driver with those that this release needs,"
            + " and see which libraries are loaded first.",
        "echo $LD_LIBRARY_PATH; pip list | grep -i -E 'nvidia|jax|tensorflow'");
  }
}
