package dev.vramscope.explain.xla;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.ImpossibleSize;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** XLA (JAX, PyTorch/XLA) and TensorFlow, on GPUs and TPUs. */
public final class Xla implements MessageProducer {
  /** A failed request of a program that XLA compiled, with the program's buffers or without. */
  public static final MessageKind XLA_OOM =
      MessageKind.failure("xla-oom", Memory.DEVICE, "XLA", "a failed request of XLA").asPart();

  /** A failed request of the allocator of XLA and TensorFlow, or a part of its dump. */
  public static final MessageKind BFC =
      MessageKind.failure(
              "bfc",
              Memory.DEVICE,
              "The BFC allocator",
              "a failed request of the BFC allocator of XLA or TensorFlow")
          .asLeadingPart();

  /** A request of that allocator whose caller did with less. */
  public static final MessageKind BFC_WARNING =
      MessageKind.warning(
          "bfc-warning",
          Memory.DEVICE,
          "The BFC allocator",
          "a request that the BFC allocator refused and the program did without");

  /** The tensor for which TensorFlow had no memory. */
  public static final MessageKind TF_TENSOR =
      MessageKind.failure(
              "tf-tensor",
              Memory.DEVICE,
              "TensorFlow",
              "a tensor for which TensorFlow had no memory")
          .asPart();

  /** A program that does not fit into the memory of a TPU, found when it was compiled. */
  public static final MessageKind XLA_TPU =
      MessageKind.failure(
          "xla-tpu", Memory.DEVICE, "XLA", "a program that is too large for the TPU’s memory");

  /** A kernel or a program that needs more memory on the chip of a TPU than there is. */
  public static final MessageKind TPU_ON_CHIP =
      MessageKind.failure(
          "xla-tpu-on-chip",
          Memory.ON_CHIP,
          "XLA",
          "a kernel that is too large for the TPU’s memory on the chip");

  /** A buffer that did not fit into the memory of a TPU. */
  public static final MessageKind XLA_TPU_RUNTIME =
      MessageKind.failure(
          "xla-tpu-runtime", Memory.DEVICE, "XLA", "a buffer for which the TPU had no memory");

  /** A single buffer that is larger than the memory. */
  public static final MessageKind XLA_SINGLE =
      MessageKind.failure(
          "xla-single",
          Memory.DEVICE,
          "XLA",
          "a buffer that XLA could not place in the device’s memory");

  /** A program whose compilation was given up. */
  public static final MessageKind XLA_ABORT =
      MessageKind.failure(
          "xla-abort",
          Memory.DEVICE,
          "XLA",
          "a program that XLA did not compile because of its memory");

  @Override
  public String name() {
    return "XLA (JAX, PyTorch/XLA) and TensorFlow";
  }

  @Override
  public List<MessageForm> forms() {
    return XlaForms.ALL;
  }

  @Override
  public List<String> examples() {
    return List.of(
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to"
            + " allocate 4000000000 bytes.",
        "Allocator (GPU_0_bfc) ran out of memory trying to allocate 3.72GiB (rounded to"
            + " 4000000000)requested by op",
        "OOM when allocating tensor with shape[128,225,225,3] and type float on"
            + " /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc",
        "RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space"
            + " hbm. Used 18.25G of 15.48G hbm. Exceeded hbm capacity by 2.77G.",
        "RESOURCE_EXHAUSTED: Attempting to allocate 2.00G. That was not possible. There are 1.22G"
            + " free.");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    MessageKind kind = message.kind();
    boolean isInAnother =
        failure.stream()
            .anyMatch(
                other ->
                    !other.equals(message)
                        && other.kind() == XLA_OOM
                        && other.fields().size() > message.fields().size());
    if (kind == XLA_OOM && isInAnother) {
      return new Conclusion.Builder(message).build();
    }
    if (kind == XLA_OOM && BfcFailures.areAttempts(failure)) {
      return PoolAttempts.of(message, failure);
    }
    if (kind == XLA_OOM) {
      return XlaConclusion.of(message, failure, Program.of(context));
    }
    return kind == BFC || kind == BFC_WARNING || kind == TF_TENSOR
        ? BfcConclusion.of(message, failure, Program.of(context))
        : TpuConclusion.of(message);
  }

  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return message.kind().mayBePart() ? BfcFailures.of(message, failures) : Optional.empty();
  }

  @Override
  public List<MessageKind> otherKinds() {
    return List.of(TPU_ON_CHIP);
  }

  /** Only hbm is the memory of the device. */
  @Override
  public LogMessage refined(LogMessage message) {
    boolean isOnChip =
        message.kind() == XLA_TPU
            && message
                .written(FieldName.MEMORY_SPACE)
                .filter(space -> !space.equals("hbm"))
                .isPresent();
    return isOnChip ? message.as(TPU_ON_CHIP) : message;
  }

  @Override
  public Optional<ImpossibleSize> impossibleSize(LogMessage message) {
    return impossible(message);
  }

  /** Not XLA's estimate of a program, which is no size of a request. */
  static Optional<ImpossibleSize> impossible(LogMessage message) {
    if (message.kind() == XLA_ABORT) {
      return Optional.empty();
    }
    return ImpossibleSize.of(message)
        .or(
            () ->
                message.kind() == TF_TENSOR && TensorSize.isImpossible(message)
                    ? message
                        .written(FieldName.SHAPE)
                        .map(shape -> new ImpossibleSize(message, "of the shape " + shape))
                    : Optional.empty());
  }

  /** The allocator's numbers decide; without them, those of the program come first. */
  @Override
  public int rank(LogMessage message) {
    if (message.kind() == BFC) {
      return message.quantity(FieldName.LIMIT).isPresent() ? 0 : 2;
    }
    boolean hasProgram = message.quantity(FieldName.TOTAL_NEEDED).isPresent();
    return message.kind() != XLA_OOM ? 4 : hasProgram ? 1 : 3;
  }
}
