package dev.vramscope.explain.findings;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what belongs to one failure: XLA and TensorFlow report it in several messages, the
 * allocator's, its dump's, and those of the operation or the program that failed with it.
 */
public final class Failures {
  private static final Set<MessageKind> OF_BFC =
      EnumSet.of(MessageKind.BFC, MessageKind.XLA_OOM, MessageKind.TF_TENSOR);

  private Failures() {}

  /** The messages of each failure, and each other message alone, in the order of the text. */
  public static List<List<LogMessage>> of(List<LogMessage> findings) {
    List<List<LogMessage>> failures = new ArrayList<>();
    for (LogMessage finding : findings) {
      List<LogMessage> same = OF_BFC.contains(finding.kind()) ? open(failures, finding) : null;
      if (same == null) {
        same = new ArrayList<>();
        failures.add(same);
      }
      same.add(finding);
    }
    return failures;
  }

  /** Whether a message can be one of several about a failure of the BFC allocator. */
  public static boolean mayBePartOfAnother(MessageKind kind) {
    return OF_BFC.contains(kind);
  }

  /** The latest failure of the same process to which a message can belong, or null. */
  private static @Nullable List<LogMessage> open(
      List<List<LogMessage>> failures, LogMessage finding) {
    for (List<LogMessage> failure : failures.reversed()) {
      LogMessage first = failure.getFirst();
      if (!OF_BFC.contains(first.kind()) || !first.process().equals(finding.process())) {
        continue;
      }
      boolean isSecondDump =
          finding.kind() == MessageKind.BFC
              && failure.stream().anyMatch(each -> each.kind() == MessageKind.BFC);
      boolean hasAllocator =
          finding.kind() == MessageKind.BFC
              || failure.stream().anyMatch(each -> each.kind() == MessageKind.BFC);
      boolean isSame =
          hasAllocator
              && !isSecondDump
              && failure.stream()
                  .allMatch(
                      each ->
                          isSameAllocator(each, finding) && BfcRequest.mayBeSame(each, finding));
      if (isSame) {
        return failure;
      }
      if (failure.stream().anyMatch(each -> each.kind() == MessageKind.BFC)) {
        return null; // What follows a dump does not belong to an older one.
      }
    }
    return null;
  }

  private static boolean isSameAllocator(LogMessage a, LogMessage b) {
    Optional<String> of = a.written(FieldName.ALLOCATOR);
    Optional<String> other = b.written(FieldName.ALLOCATOR);
    return of.isEmpty() || other.isEmpty() || of.get().equals(other.get());
  }
}
