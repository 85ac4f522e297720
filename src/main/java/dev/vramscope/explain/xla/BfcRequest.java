package dev.vramscope.explain.xla;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.MessageKind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The request of a failure, from all of its messages: the exact number comes before a rounded one.
 *
 * @param bytes empty if no message has it
 * @param isAssumed whether the tensor's elements are assumed to be of the usual type
 */
public record BfcRequest(Optional<Quantity> bytes, boolean isAssumed) {
  public static BfcRequest of(List<LogMessage> messages) {
    List<Quantity> written = messages.stream().flatMap(BfcRequest::written).toList();
    Optional<Quantity> exact = written.stream().filter(each -> each.errorBytes() == 0).findFirst();
    if (exact.isPresent()) {
      return new BfcRequest(exact, /* isAssumed= */ false);
    }
    Optional<Quantity> tensor =
        messages.stream()
            .filter(each -> each.kind() == Xla.TF_TENSOR)
            .flatMap(each -> TensorSize.asFloat(each).stream())
            .findFirst();
    if (written.isEmpty()) {
      return new BfcRequest(tensor, tensor.isPresent());
    }
    Quantity rounded = written.getFirst();
    // The rounded number confirms the type.
    return new BfcRequest(
        tensor.filter(each -> isSame(rounded, each)).or(() -> Optional.of(rounded)),
        /* isAssumed= */ false);
  }

  /** The numbers of a message, the most exact first. */
  static Stream<Quantity> written(LogMessage message) {
    MessageKind kind = message.kind();
    if (kind == Xla.BFC) {
      return Stream.of(message.quantity(FieldName.ROUNDED), message.quantity(FieldName.REQUESTED))
          .flatMap(Optional::stream);
    }
    if (kind == Xla.TF_TENSOR) {
      return TensorSize.of(message).stream();
    }
    return kind == Xla.XLA_OOM ? message.quantity(FieldName.REQUESTED).stream() : Stream.empty();
  }

  /**
   * Whether two messages can be about one request: a number of one may be that of the other, after
   * the allocator has rounded it up.
   */
  static boolean mayBeSame(LogMessage a, LogMessage b) {
    List<Quantity> ofA = all(a);
    List<Quantity> ofB = all(b);
    boolean isImpossible = Xla.impossible(a).isPresent();
    if (isImpossible != Xla.impossible(b).isPresent()) {
      return (isImpossible ? ofB : ofA).isEmpty();
    }
    if (isImpossible) {
      return true;
    }
    return ofA.isEmpty()
        || ofB.isEmpty()
        || ofA.stream().anyMatch(one -> ofB.stream().anyMatch(other -> isSame(one, other)));
  }

  /** A tensor without a type may have elements of any width. */
  private static List<Quantity> all(LogMessage message) {
    List<Quantity> written = written(message).toList();
    return written.isEmpty() && message.kind() == Xla.TF_TENSOR
        ? TensorSize.ofAnyType(message)
        : written;
  }

  /** Chunks are rounded up to 256 bytes. */
  private static boolean isSame(Quantity a, Quantity b) {
    long error = a.errorBytes() + b.errorBytes() + 255;
    return Math.abs(a.bytes() - b.bytes()) <= error;
  }
}
