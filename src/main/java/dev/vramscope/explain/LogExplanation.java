package dev.vramscope.explain;

import dev.vramscope.explain.library.SmiProcesses;
import dev.vramscope.explain.message.LeftOut;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.LogMessages;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.ImpossibleSize;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.reading.AlteredText;
import dev.vramscope.model.Certainty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What a text says about failed requests.
 *
 * @param conclusions from each message, the most informative first; empty if the text has none
 * @param otherError the last exception of a text without a message about memory
 * @param leftOut the messages that the conclusions are not about
 * @param unlisted the different failures among these; empty if that is not known
 * @param unreadCharacters of parts of a long log that may have further failures
 */
public record LogExplanation(
    List<Conclusion> conclusions,
    Optional<String> otherError,
    LeftOut leftOut,
    OptionalLong unlisted,
    long unreadCharacters) {
  public LogExplanation {
    conclusions = List.copyOf(conclusions);
  }

  /** Reads a text; its length is the caller's to limit. */
  public static LogExplanation of(String text) {
    return of(LogExcerpt.of(text));
  }

  /** Explains a log. */
  public static LogExplanation of(LogExcerpt log) {
    String text = AlteredText.restored(log.text());
    LogMessages logMessages = Producers.read(text);
    List<LogMessage> messages =
        withUnknownWording(
            logMessages.messages().stream().map(each -> Producers.of(each).refined(each)).toList(),
            text);
    List<LogMessage> ofContext =
        messages.stream().filter(message -> message.kind().isContext()).toList();
    LogContext context =
        new LogContext(
            text, messages.stream().filter(message -> message.kind().hasOnlyNumbers()).toList());
    List<LogFailure> failures =
        LogFailures.of(messages.stream().filter(message -> !message.kind().isContext()).toList());
    List<Conclusion> conclusions =
        withoutRepetitions(
            failures.stream()
                .map(failure -> conclusion(failure, context))
                .sorted(Comparator.comparingInt(LogExplanation::order))
                .toList());
    addContext(conclusions, ofContext, context);
    addPrinted(conclusions, context);
    return new LogExplanation(
        conclusions,
        conclusions.isEmpty() ? OtherError.find(text) : Optional.empty(),
        logMessages.leftOut(),
        logMessages.unlisted(),
        log.unreadCharacters());
  }

  /** Notices that say the same are one. */
  private static List<Conclusion> withoutRepetitions(List<Conclusion> conclusions) {
    List<Conclusion> different = new ArrayList<>();
    for (Conclusion each : conclusions) {
      int same = 0;
      while (same < different.size() && !different.get(same).isRepeatedBy(each)) {
        same++;
      }
      if (same < different.size()) {
        different.set(same, different.get(same).with(each));
      } else {
        different.add(each);
      }
    }
    return different;
  }

  /** Adds a message in other words if there is no failure and no notice in known ones. */
  private static List<LogMessage> withUnknownWording(List<LogMessage> messages, String text) {
    boolean isExplained =
        messages.stream()
            .map(LogMessage::kind)
            .anyMatch(kind -> kind.isFailure() || kind.isWarning() || kind.isNotice());
    Optional<LogMessage> unknown = isExplained ? Optional.empty() : UnknownWording.find(text);
    return Stream.concat(messages.stream(), unknown.stream()).toList();
  }

  /** What programs have and have set belongs to the failure; without one, it is all there is. */
  private static void addContext(
      List<Conclusion> conclusions, List<LogMessage> messages, LogContext context) {
    if (messages.isEmpty()) {
      return;
    }
    if (conclusions.isEmpty()) {
      LogMessage first = messages.getFirst();
      conclusions.add(Producers.of(first).conclude(first, messages, context).about(messages));
    } else {
      conclusions.set(0, conclusions.getFirst().inContext(messages));
    }
  }

  /** What the program printed about the memory that ran out stands beside the first failure. */
  private static void addPrinted(List<Conclusion> conclusions, LogContext context) {
    if (conclusions.isEmpty() || conclusions.getFirst().message().kind().memory() == Memory.HOST) {
      return;
    }
    Conclusion first = conclusions.getFirst();
    if (first.isFailure()) {
      context
          .printedAbove(first.message().line(), first.messages())
          .ifPresent(
              printed ->
                  conclusions.set(
                      0, PrintedTotal.beside(first, printed).inContext(List.of(printed))));
    }
  }

  /** Failures first, and of them those from which something follows; the others as in the text. */
  private static int order(Conclusion conclusion) {
    boolean isOpen =
        conclusion.statements().stream()
            .allMatch(statement -> statement.certainty() == Certainty.UNDECIDED);
    return conclusion.message().kind().isFailure()
        ? isOpen ? 1 : 0
        : conclusion.isFailure() ? 2 : 3;
  }

  /** What was found, in a few sentences. */
  public String summary() {
    return (conclusionSentences() + " " + leftOut.sentence() + unreadSentence()).strip();
  }

  private String unreadSentence() {
    return unreadCharacters == 0
        ? ""
        : String.format(
            Locale.ROOT,
            " Of the parts of this log that have words of failures, the first and the last were"
                + " read; %,d MB between them were not.",
            Math.max(1, unreadCharacters / 1_000_000));
  }

  private String conclusionSentences() {
    long failures = conclusions.stream().filter(each -> each.message().kind().isFailure()).count();
    if (conclusions.isEmpty()) {
      return "Nothing in this text says in known words that memory ran out: it has no message about"
          + " the memory of a GPU."
          + otherError.map(error -> " Its last exception is another one: " + error).orElse("");
    }
    if (failures == 0) {
      String headline = conclusions.getFirst().headline();
      return isFailure() ? headline : "No request failed in this text. " + headline;
    }
    Conclusion first = conclusions.getFirst();
    long all = failures + unlisted.orElse(0);
    boolean isEarliest =
        conclusions.stream()
            .map(Conclusion::message)
            .filter(message -> message.kind().isFailure())
            .noneMatch(message -> message.line() < first.message().line());
    String which = isEarliest ? "The first" : "The clearest, at line " + first.message().line();
    return (unlisted.isEmpty() ? "At least " : "")
        + (all == 1 && unlisted.isPresent() ? "" : all + " different failures. " + which + ": ")
        + first.headline()
        + first.statements().stream()
            .filter(statement -> statement.certainty() != Certainty.UNDECIDED)
            .findFirst()
            .map(statement -> " " + statement.text())
            .orElse("");
  }

  /** Whether the text reports a failed request. */
  public boolean isFailure() {
    return conclusions.stream().anyMatch(Conclusion::isFailure);
  }

  /** What follows from the messages of one failure; that with the most to say comes first. */
  private static Conclusion conclusion(LogFailure failure, LogContext context) {
    return SmiProcesses.beside(concluded(failure.messages(), context), context)
        .followedBy(failure.consequences());
  }

  private static Conclusion concluded(List<LogMessage> messages, LogContext context) {
    Optional<ImpossibleSize> impossible =
        messages.stream()
            .flatMap(each -> Producers.of(each).impossibleSize(each).stream())
            .findFirst();
    if (impossible.isPresent()) {
      return ImpossibleSizeConclusion.of(impossible.get(), messages);
    }
    return messages.stream()
        .sorted(Comparator.comparingInt(message -> Producers.of(message).rank(message)))
        .map(message -> Producers.of(message).conclude(message, messages, context))
        .reduce(Conclusion::with)
        .orElseThrow();
  }
}
