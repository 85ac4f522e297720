package dev.vramscope.explain.producer;

import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/**
 * A program or a library that writes messages about memory: how they look, and what follows from
 * them.
 */
public interface MessageProducer {
  /** Its name, for the list of what is recognized. */
  String name();

  /** How its messages look; a form whose start includes that of another is before it. */
  List<MessageForm> forms();

  /** What its messages are that no form describes. */
  default List<MessageKind> otherKinds() {
    return List.of();
  }

  /** These messages of a text. */
  default List<LogMessage> read(String text) {
    return List.of();
  }

  /**
   * The messages of a text that is, as a whole, a file of this producer: nothing else is looked for
   * in it.
   */
  default List<LogMessage> readDocument(String text) {
    return List.of();
  }

  /** Of which a part of a long log has one, if it has one of {@link #read these messages}. */
  default List<String> words() {
    return List.of();
  }

  /** A message whose kind depends on its numbers, with that kind. */
  default LogMessage refined(LogMessage message) {
    return message;
  }

  /** The messages that it writes, each as a text in which it is recognized. */
  List<String> examples();

  /**
   * What follows from a message.
   *
   * @param message of one of its forms
   * @param failure all messages of the same failure, this one among them
   */
  Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context);

  /**
   * The failure of which a message is a part.
   *
   * @param failures those before it, in the order of the text
   * @return one of them; empty if the message is a failure of its own
   */
  default Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return Optional.empty();
  }

  /** The size of a request that no memory can have. */
  default Optional<ImpossibleSize> impossibleSize(LogMessage message) {
    return ImpossibleSize.of(message);
  }

  /** How much a message decides among those of its failure; the lowest comes first. */
  default int rank(LogMessage message) {
    return 0;
  }
}
