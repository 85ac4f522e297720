package dev.vramscope.explain.xla;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.MessageKind;
import java.util.List;
import java.util.Optional;

/**
 * Puts together what belongs to one failure: XLA and TensorFlow report it in several messages, the
 * allocator's, its dump's, and those of the operation or the program that failed with it.
 */
final class BfcFailures {
  /** Lines between two messages about one request. */
  private static final int NEXT_LINES = 20;

  private BfcFailures() {}

  /** The latest failure of the same process to which a message can belong. */
  static Optional<LogFailure> of(LogMessage message, List<LogFailure> failures) {
    for (LogFailure candidate : failures.reversed()) {
      List<LogMessage> failure = candidate.messages();
      LogMessage first = failure.getFirst();
      if (!isOfXla(first.kind()) || !first.process().equals(message.process())) {
        continue;
      }
      if (isNextAttempt(failure, message) || isAfterAttempts(failure, message)) {
        return Optional.of(candidate);
      }
      boolean hasDump = failure.stream().anyMatch(each -> each.kind() == Xla.BFC);
      boolean isDump = message.kind() == Xla.BFC;
      boolean isSame =
          (isDump != hasDump || areOfProgram(failure, message))
              && failure.stream()
                  .allMatch(
                      each ->
                          isSameAllocator(each, message) && BfcRequest.mayBeSame(each, message));
      if (isSame) {
        return Optional.of(candidate);
      }
      if (hasDump) {
        return Optional.empty(); // What follows a dump does not belong to an older one.
      }
    }
    return Optional.empty();
  }

  /** The driver's line and the one of the program about the same request, without a dump. */
  private static boolean areOfProgram(List<LogMessage> failure, LogMessage message) {
    Optional<Quantity> requested = message.quantity(FieldName.REQUESTED);
    return message.kind() == Xla.XLA_OOM
        && requested.isPresent()
        && message.line() - failure.getLast().line() <= NEXT_LINES
        && failure.stream()
            .allMatch(
                each ->
                    each.kind() == Xla.XLA_OOM
                        && each.quantity(FieldName.REQUESTED).equals(requested));
  }

  /**
   * Whether the driver refused one request after the other, each smaller: a pool that grows asks
   * for less where it was refused.
   */
  static boolean areAttempts(List<LogMessage> failure) {
    return failure.stream()
            .filter(each -> each.kind() == Xla.XLA_OOM)
            .flatMap(each -> each.quantity(FieldName.REQUESTED).stream())
            .distinct()
            .count()
        > 1;
  }

  private static boolean isNextAttempt(List<LogMessage> failure, LogMessage message) {
    LogMessage last = failure.getLast();
    if (!isAttempt(last) || !isAttempt(message) || message.line() - last.line() > NEXT_LINES) {
      return false;
    }
    double part = (double) bytes(message) / bytes(last);
    return areAttempts(failure) ? part < 1 : part > 0.88 && part < 0.92;
  }

  private static long bytes(LogMessage attempt) {
    return attempt.quantity(FieldName.ROUNDED).orElseThrow().bytes();
  }

  /** Whether a message is about the request for which the pool was to grow. */
  private static boolean isAfterAttempts(List<LogMessage> failure, LogMessage message) {
    return message.kind() != Xla.XLA_OOM
        && failure.stream().allMatch(BfcFailures::isAttempt)
        && areAttempts(failure);
  }

  /** The driver's line; the program's has buffers or is about a tensor. */
  private static boolean isAttempt(LogMessage message) {
    return message.kind() == Xla.XLA_OOM
        && message.quantity(FieldName.ROUNDED).filter(size -> size.bytes() > 0).isPresent()
        && message.quantity(FieldName.TOTAL_NEEDED).isEmpty();
  }

  private static boolean isOfXla(MessageKind kind) {
    return kind == Xla.BFC || kind == Xla.XLA_OOM || kind == Xla.TF_TENSOR;
  }

  private static boolean isSameAllocator(LogMessage a, LogMessage b) {
    Optional<String> of = a.written(FieldName.ALLOCATOR);
    Optional<String> other = b.written(FieldName.ALLOCATOR);
    return of.isEmpty() || other.isEmpty() || of.get().equals(other.get());
  }
}
