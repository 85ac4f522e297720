package dev.vramscope.explain.message;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A failure as one or several messages tell it, or another message alone. */
public final class LogFailure {
  private final List<LogMessage> messages;
  private final List<LogMessage> consequences = new ArrayList<>();

  public LogFailure(LogMessage first) {
    messages = new ArrayList<>(List.of(first));
  }

  /** Those that tell it; the first of the text comes first. */
  public List<LogMessage> messages() {
    return Collections.unmodifiableList(messages);
  }

  /** Errors that only follow from it, and the same failure in other processes of the job. */
  public List<LogMessage> consequences() {
    return Collections.unmodifiableList(consequences);
  }

  public LogMessage first() {
    return messages.getFirst();
  }

  public LogMessage last() {
    return messages.getLast();
  }

  public boolean isFailure() {
    return messages.stream().anyMatch(each -> each.kind().isFailure());
  }

  /** The latest failure of the same process whose first message is of the same kind. */
  public static Optional<LogFailure> ofSameKind(LogMessage message, List<LogFailure> failures) {
    return failures.reversed().stream()
        .filter(failure -> failure.first().kind() == message.kind())
        .filter(failure -> failure.first().process().equals(message.process()))
        .findFirst();
  }

  /** Adds a message that tells the same failure. */
  public void add(LogMessage message) {
    messages.add(message);
  }

  /** Puts a message in the place of one that is a part of it. */
  public void replace(LogMessage part, LogMessage whole) {
    messages.set(messages.indexOf(part), whole);
  }

  /** Adds the messages of a failure that only follows from this one. */
  public void addConsequence(LogFailure other) {
    consequences.addAll(other.messages);
    consequences.addAll(other.consequences);
  }
}
