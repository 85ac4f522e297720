package dev.vramscope.explain;

import dev.vramscope.analysis.ByteText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A size that was requested and that no memory can have: negative, or more than {@link
 * dev.vramscope.evidence.Quantity} has. Nothing else in the text is the cause of such a failure.
 *
 * @param message that has the number
 * @param written as the text has it
 */
record ImpossibleSize(Finding message, String written) {
  /** The sizes of a request, or of a program that was to be placed. */
  private static final List<FieldName> NAMES =
      List.of(FieldName.REQUESTED, FieldName.ROUNDED, FieldName.TOTAL_NEEDED, FieldName.USED);

  private static final BigDecimal WRAP = new BigDecimal(BigInteger.ONE.shiftLeft(64));

  private static final Pattern NUMBER =
      Pattern.compile("([0-9]{1,20}(?:\\.[0-9]+)?) ([KMGTPE]?)[A-Za-z]*");

  /** A number below is a huge one as a signed one, too. */
  private static final BigDecimal MOST_NEGATIVE = BigDecimal.valueOf(1L << 60);

  private static final String UNITS = "KMGTPE";

  /**
   * The size of a message; empty if it is possible or unknown, for reports, and for XLA's estimate
   * of a program, which is no size of a request.
   */
  static Optional<ImpossibleSize> of(Finding message) {
    FindingKind kind = message.kind();
    if ((!kind.isFailure() && !kind.isWarning()) || kind == FindingKind.XLA_ABORT) {
      return Optional.empty();
    }
    Stream<String> fields =
        NAMES.stream()
            .flatMap(name -> message.fields().stream().filter(field -> field.name() == name))
            .filter(field -> field.quantity().isEmpty())
            .map(Field::written)
            .map(written -> written.matches("-?[0-9,]+") ? written + " bytes" : written);
    Stream<String> tensor =
        kind == FindingKind.TF_TENSOR && TensorSize.isImpossible(message)
            ? message.written(FieldName.SHAPE).map(shape -> "of the shape " + shape).stream()
            : Stream.empty();
    return Stream.concat(fields, tensor)
        .findFirst()
        .map(written -> new ImpossibleSize(message, written));
  }

  /** What follows, in a failure with these messages. */
  Conclusion conclusion(List<Finding> messages) {
    Conclusion.Builder conclusion =
        new Conclusion.Builder(message)
            .headline(who() + " was asked for an impossible size: " + written + ".")
            .certain(
                "No device has that much memory, so it is not about what else is live, and no"
                    + " setting of an allocator changes it.")
            .likely(
                "The program computed the size wrongly: a negative number, or one that overflowed,"
                    + " became a huge one, for instance in the shape of a tensor or in a product of"
                    + " dimensions."
                    + negative());
    if (message.kind().isWarning()) {
      conclusion.certain("The program went on without this memory.");
    }
    return conclusion
        .unknown("Which operation asked for it; the stack of the exception names it.")
        .next(new Advice("Look at the stack of the exception, and print the shapes there.", ""))
        .build()
        .about(messages);
  }

  /** What an unsigned number of 64 bits is as a negative one, unless rounding hides it. */
  private String negative() {
    Matcher number = NUMBER.matcher(written.replace(",", ""));
    if (!number.matches()) {
      return "";
    }
    String unit = number.group(2);
    BigDecimal digits = new BigDecimal(number.group(1));
    BigDecimal scale = BigDecimal.valueOf(unit.isEmpty() ? 1 : 1024L << (10 * UNITS.indexOf(unit)));
    BigDecimal below = WRAP.subtract(digits.multiply(scale));
    boolean isExact = unit.isEmpty();
    boolean isKnown =
        below.compareTo(isExact ? BigDecimal.ZERO : scale.movePointLeft(digits.scale())) > 0
            && below.compareTo(MOST_NEGATIVE) <= 0;
    return isKnown
        ? " As a signed number, it is "
            + (isExact ? "" : "about ")
            + "-"
            + ByteText.of(below.longValue())
            + "."
        : "";
  }

  private String who() {
    return switch (message.kind()) {
      case TORCH, TORCH_NVML -> "PyTorch’s caching allocator";
      case TORCH_ASYNC -> "The driver’s allocator (backend:cudaMallocAsync)";
      case TORCH_MPS -> "PyTorch on a Mac (MPS)";
      case BFC, BFC_WARNING ->
          "The BFC allocator"
              + message.written(FieldName.ALLOCATOR).map(name -> " " + name).orElse("");
      case TF_TENSOR -> "TensorFlow";
      case NCCL -> "NCCL";
      case RMM, RMM_LOG -> "RMM";
      case CUPY -> "CuPy’s memory pool";
      case ONNXRUNTIME -> "ONNX Runtime’s arena";
      case LLAMA_CPP -> "llama.cpp";
      case HOST -> "The host’s memory";
      case XLA_OOM, XLA_TPU, XLA_TPU_RUNTIME, XLA_SINGLE, XLA_ABORT -> "XLA";
      case CUDA, NVIDIA_SMI, TORCH_TIMELINE, MEMORY_STATS, MEMORY_SUMMARY -> "The driver";
    };
  }
}
