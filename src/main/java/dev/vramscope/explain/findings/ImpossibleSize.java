package dev.vramscope.explain.findings;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A size that was requested and that no memory can have: negative, or more than {@link
 * dev.vramscope.evidence.Quantity} has. Nothing else in the text is the cause of such a failure.
 *
 * @param message that has the number
 * @param written as the text has it
 */
public record ImpossibleSize(LogMessage message, String written) {
  /** The sizes of a request, or of a program that was to be placed. */
  private static final List<FieldName> NAMES =
      List.of(FieldName.REQUESTED, FieldName.ROUNDED, FieldName.TOTAL_NEEDED, FieldName.USED);

  /**
   * The size of a message; empty if it is possible or unknown, for reports, and for XLA's estimate
   * of a program, which is no size of a request.
   */
  public static Optional<ImpossibleSize> of(LogMessage message) {
    MessageKind kind = message.kind();
    if ((!kind.isFailure() && !kind.isWarning()) || kind == MessageKind.XLA_ABORT) {
      return Optional.empty();
    }
    Stream<String> fields =
        NAMES.stream()
            .flatMap(name -> message.fields().stream().filter(field -> field.name() == name))
            .filter(field -> field.quantity().isEmpty())
            .map(Field::written)
            .map(written -> written.matches("-?[0-9,]+") ? written + " bytes" : written);
    Stream<String> tensor =
        kind == MessageKind.TF_TENSOR && TensorSize.isImpossible(message)
            ? message.written(FieldName.SHAPE).map(shape -> "of the shape " + shape).stream()
            : Stream.empty();
    return Stream.concat(fields, tensor)
        .findFirst()
        .map(written -> new ImpossibleSize(message, written));
  }
}
