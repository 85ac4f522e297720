package dev.vramscope.explain;

import dev.vramscope.explain.library.DeviceFaults;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Puts together what belongs to one failure: some programs report it in several messages, loggers
 * and wrappers repeat it, other ranks of the job fail with it, and libraries report an error
 * without numbers after it.
 */
final class LogFailures {
  /** Lines between a failure and an error that follows from it. */
  private static final int REACH = 400;

  private LogFailures() {}

  /** The failures, and each other message alone, in the order of the text. */
  static List<LogFailure> of(List<LogMessage> messages) {
    List<LogFailure> failures = new ArrayList<>();
    for (LogMessage message : messages) {
      add(message, failures);
    }
    return withConsequencesAttached(failures);
  }

  private static void add(LogMessage message, List<LogFailure> failures) {
    for (LogFailure failure : failures.reversed()) {
      Optional<LogMessage> whole =
          failure.messages().stream().filter(each -> isRepeated(each, message)).findFirst();
      if (whole.isPresent()) {
        if (whole.get().fields().size() < message.fields().size()) {
          failure.replace(whole.get(), message);
        }
        return;
      }
    }
    Producers.of(message)
        .failureOf(message, failures)
        .ifPresentOrElse(same -> same.add(message), () -> failures.add(new LogFailure(message)));
  }

  /** Whether one of two messages is the other, cut off: it has no number that the other lacks. */
  private static boolean isRepeated(LogMessage a, LogMessage b) {
    if (a.kind() != b.kind() || !a.kind().isFailure() || a.kind().mayBePart()) {
      return false;
    }
    Set<Field> ofA = new HashSet<>(a.fields());
    Set<Field> ofB = new HashSet<>(b.fields());
    if (hasNoAmount(a) || hasNoAmount(b)) {
      // People write the first words of a message above it.
      return a.process().equals(b.process()) && (ofA.containsAll(ofB) || ofB.containsAll(ofA));
    }
    if (a.quantity(FieldName.REQUESTED).isEmpty() || b.quantity(FieldName.REQUESTED).isEmpty()) {
      return false;
    }
    return ofA.containsAll(ofB) || ofB.containsAll(ofA);
  }

  private static boolean hasNoAmount(LogMessage message) {
    return message.fields().stream().allMatch(field -> field.quantity().isEmpty());
  }

  private static List<LogFailure> withConsequencesAttached(List<LogFailure> failures) {
    List<LogFailure> left = new ArrayList<>(failures);
    for (LogFailure failure : failures) {
      Optional<LogFailure> cause =
          failures.stream()
              .filter(other -> other != failure && left.contains(other))
              .filter(other -> isCause(other, failure))
              .findFirst();
      if (cause.isPresent()) {
        cause.get().addConsequence(failure);
        left.remove(failure);
      }
    }
    return left;
  }

  /** Whether an error only follows from another failure, or is the same in another process. */
  private static boolean isCause(LogFailure cause, LogFailure error) {
    LogMessage first = cause.first();
    LogMessage other = error.first();
    if (cause.isFailure() && mayFollow(error) && other.kind().memory() == Memory.NONE) {
      // It is not about memory. Lines of other processes may stand in another order than time.
      return first.line() < other.line() || !first.process().equals(other.process());
    }
    if (isFault(cause) && mayFollow(error) && other.written(FieldName.REASON).isPresent()) {
      return first.line() < other.line()
          && other.line() - first.line() <= REACH
          && first.process().equals(other.process());
    }
    if (!cause.isFailure() || !error.isFailure()) {
      return false;
    }
    if (mayFollow(error)) {
      return !mayFollow(cause)
          && first.kind().memory() == other.kind().memory()
          && first.process().equals(other.process())
          && Math.abs(first.line() - other.line()) <= REACH;
    }
    return first.kind() == other.kind()
        && !first.process().isEmpty()
        && !other.process().isEmpty()
        && !first.process().equals(other.process())
        && first.line() < other.line();
  }

  /** Whether a kernel failed: a library that is started after it in the process fails, too. */
  private static boolean isFault(LogFailure cause) {
    return cause.first().kind() == DeviceFaults.FAULT;
  }

  private static boolean mayFollow(LogFailure failure) {
    return failure.messages().stream().allMatch(each -> each.kind().mayFollow());
  }
}
