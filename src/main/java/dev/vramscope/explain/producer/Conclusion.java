package dev.vramscope.explain.producer;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.model.Certainty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What follows from one message.
 *
 * @param others further messages about the same failure
 * @param headline what happened, in a sentence
 * @param statements the most important first
 * @param sharesTitle what the shares are, for people
 * @param shares the parts of the device's memory; empty if the text does not tell them
 * @param total the size of the device, if the text has it
 * @param remedies what may help; the text proves none of them
 * @param next what to collect, so that more can be said
 */
public record Conclusion(
    LogMessage message,
    List<LogMessage> others,
    String headline,
    List<Statement> statements,
    String sharesTitle,
    List<Share> shares,
    Optional<Quantity> total,
    List<Advice> remedies,
    List<Advice> next) {
  public Conclusion {
    others = List.copyOf(others);
    statements = openLast(statements);
    shares = List.copyOf(shares);
    remedies = List.copyOf(remedies);
    next = List.copyOf(next);
  }

  /** What is not known stands behind what follows from the text. */
  private static List<Statement> openLast(List<Statement> statements) {
    return statements.stream()
        .sorted(Comparator.comparing(each -> each.certainty() == Certainty.UNDECIDED))
        .toList();
  }

  /** All messages that the conclusion is from, in the order of the text. */
  public List<LogMessage> messages() {
    return Stream.concat(Stream.of(message), others.stream())
        .sorted(Comparator.comparingInt(LogMessage::line))
        .toList();
  }

  /** How often the text says it. */
  public int times() {
    return isFailure()
        ? message.times()
        : messages().stream()
            .filter(each -> each.kind() == message.kind())
            .mapToInt(LogMessage::times)
            .sum();
  }

  /** Whether another one says the same of messages that differ in numbers only. */
  public boolean isRepeatedBy(Conclusion other) {
    return message.kind() == other.message.kind()
        && !isFailure()
        && headline.equals(other.headline)
        && statements.equals(other.statements);
  }

  /** What the messages are, in words. */
  public String what() {
    return Stream.concat(Stream.of(message), others.stream())
        .map(message -> message.kind().label())
        .distinct()
        .collect(Collectors.joining(", with "));
  }

  /** Whether a request failed: that of a message, or one that a report counts. */
  public boolean isFailure() {
    return message.kind().isFailure()
        || message.written(FieldName.FAILURES).filter(count -> !count.equals("0")).isPresent();
  }

  /** The same, with all messages of the failure: nothing follows from the others. */
  public Conclusion about(List<LogMessage> messages) {
    return new Conclusion(
        message,
        messages.stream().filter(each -> !each.equals(message)).toList(),
        headline,
        statements,
        sharesTitle,
        shares,
        total,
        remedies,
        next);
  }

  /** The same, with what a program says of itself beside its failure. */
  public Conclusion inContext(List<LogMessage> context) {
    return withMessages(context, statements);
  }

  /** The same, with errors that only follow from the failure, or are it in other processes. */
  public Conclusion followedBy(List<LogMessage> consequences) {
    List<Statement> all = new ArrayList<>(statements);
    if (message.kind().isFailure() && !message.writer().isEmpty()) {
      all.add(
          new Statement(Certainty.CERTAIN, "The message was written by " + message.writer() + "."));
    }
    consequences.stream()
        .filter(each -> each.kind().mayFollow())
        .findFirst()
        .ifPresent(
            error ->
                all.add(
                    new Statement(
                        Certainty.LIKELY,
                        "The error without numbers at line "
                            + error.line()
                            + " follows from this failure, or is the same: "
                            + error.kind().label()
                            + ".")));
    List<String> processes =
        consequences.stream()
            .filter(each -> !each.kind().mayFollow())
            .map(LogMessage::writer)
            .distinct()
            .toList();
    if (!processes.isEmpty()) {
      all.add(
          new Statement(
              Certainty.CERTAIN,
              "The log has the same kind of failure of "
                  + processes.size()
                  + (processes.size() == 1 ? " other process: " : " other processes: ")
                  + processes.stream().limit(8).collect(Collectors.joining(", "))
                  + (processes.size() > 8 ? ", …" : "")
                  + ". This one stands first."));
    }
    return withMessages(consequences, all);
  }

  /** The same, with a statement, and with remedies that come before the others. */
  public Conclusion beside(Statement statement, List<Advice> firstRemedies) {
    return new Conclusion(
        message,
        others,
        headline,
        joined(statements, List.of(statement)),
        sharesTitle,
        shares,
        total,
        joined(firstRemedies, remedies),
        next);
  }

  private Conclusion withMessages(List<LogMessage> more, List<Statement> newStatements) {
    return new Conclusion(
        message,
        Stream.concat(others.stream(), more.stream()).toList(),
        headline,
        newStatements,
        sharesTitle,
        shares,
        total,
        remedies,
        next);
  }

  /** What follows from this message and from another one about the same failure. */
  public Conclusion with(Conclusion other) {
    return new Conclusion(
        message,
        Stream.concat(others.stream(), other.messages().stream()).toList(),
        headline,
        joined(statements, other.statements),
        shares.isEmpty() ? other.sharesTitle : sharesTitle,
        shares.isEmpty() ? other.shares : shares,
        shares.isEmpty() ? other.total : total,
        joined(remedies, other.remedies),
        joined(next, other.next));
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    return Stream.concat(first.stream(), second.stream()).distinct().toList();
  }

  /** Collects a conclusion in the order in which it is read. */
  public static final class Builder {
    private final LogMessage message;
    private final List<Statement> statements = new ArrayList<>();
    private final List<Share> shares = new ArrayList<>();
    private final List<Advice> remedies = new ArrayList<>();
    private final List<Advice> next = new ArrayList<>();
    private String headline = "";
    private String sharesTitle = "Who holds the memory";
    private Optional<Quantity> total = Optional.empty();

    public Builder(LogMessage message) {
      this.message = message;
    }

    public Builder headline(String text) {
      headline = text;
      return this;
    }

    public Builder certain(String text) {
      statements.add(new Statement(Certainty.CERTAIN, text));
      return this;
    }

    public Builder likely(String text) {
      statements.add(new Statement(Certainty.LIKELY, text));
      return this;
    }

    public Builder unknown(String text) {
      statements.add(new Statement(Certainty.UNDECIDED, text));
      return this;
    }

    /** Adds a part of the memory, unless it may be nothing. */
    public Builder share(Share.Kind kind, String label, Optional<Quantity> quantity) {
      quantity
          .filter(part -> part.bytes() > part.errorBytes())
          .ifPresent(part -> shares.add(new Share(kind, label, part)));
      return this;
    }

    /** Says what the shares are; who holds the memory, if it is not called. */
    public Builder sharesTitle(String title) {
      sharesTitle = title;
      return this;
    }

    public Builder total(Optional<Quantity> size) {
      total = size;
      return this;
    }

    public Builder remedy(String text, String code) {
      remedies.add(new Advice(text, code));
      return this;
    }

    /** Adds a remedy that comes before those so far. */
    public Builder firstRemedy(String text, String code) {
      remedies.addFirst(new Advice(text, code));
      return this;
    }

    public Builder remedy(Advice advice) {
      remedies.add(advice);
      return this;
    }

    public Builder next(Advice advice) {
      next.add(advice);
      return this;
    }

    public Conclusion build() {
      MemoryParts parts = MemoryParts.of(shares, total);
      parts.contradiction().ifPresent(statements::add);
      return new Conclusion(
          message,
          List.of(),
          headline,
          statements,
          sharesTitle,
          parts.shares(),
          total,
          remedies,
          next);
    }
  }
}
