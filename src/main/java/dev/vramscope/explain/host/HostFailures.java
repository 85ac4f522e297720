package dev.vramscope.explain.host;

import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.producer.Facts;
import java.util.List;
import java.util.Optional;

/** Several programs report one process that was ended for lack of memory of the host. */
final class HostFailures {
  /** Lines between the reports of one failure. */
  private static final int REACH = 200;

  private HostFailures() {}

  /**
   * What all messages of one kind in a failure say together.
   *
   * @return empty for those after the first: nothing more follows from them
   */
  static Optional<Facts> together(LogMessage message, List<LogMessage> failure) {
    List<LogMessage> same = failure.stream().filter(each -> each.kind() == message.kind()).toList();
    return same.getFirst().equals(message) ? Optional.of(new Facts(same)) : Optional.empty();
  }

  /** The failure of the host's memory that the message before tells. */
  static Optional<LogFailure> of(LogMessage message, List<LogFailure> failures) {
    return failures.reversed().stream()
        .filter(failure -> failure.first().kind().memory() == Memory.HOST)
        .filter(failure -> message.line() - failure.last().line() <= REACH)
        .findFirst();
  }
}
