package dev.vramscope.explain;

import dev.vramscope.explain.LogExcerpt.Relevance;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import dev.vramscope.explain.reading.PresentWords;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The words of all messages, by which the parts of a long log are found that may have one. */
final class MessageWords {
  private static final MessageWords STANDARD = new MessageWords(Producers.all());

  private final PresentWords all;
  private final Set<String> ofFailures;
  private final Set<String> ofReports;

  private MessageWords(List<MessageProducer> producers) {
    List<MessageForm> forms =
        producers.stream().flatMap(producer -> producer.forms().stream()).toList();
    ofFailures = words(forms, MessageKind::isFailure);
    ofReports = words(forms, kind -> !kind.isFailure());
    producers.forEach(producer -> ofReports.addAll(producer.words()));
    all =
        new PresentWords(
            Stream.of(ofFailures, ofReports, UnknownWording.WORDS)
                .flatMap(Collection::stream)
                .toList());
  }

  private static Set<String> words(List<MessageForm> forms, Predicate<MessageKind> condition) {
    return forms.stream()
        .filter(form -> condition.test(form.kind()))
        .flatMap(form -> form.anchors().stream())
        .collect(Collectors.toSet());
  }

  /** Those of all producers. */
  static MessageWords standard() {
    return STANDARD;
  }

  /** What a part of a log has to do with messages. */
  Relevance relevance(String text) {
    Set<String> present = all.in(text);
    boolean isFailure =
        !Collections.disjoint(present, ofFailures)
            || (!Collections.disjoint(present, UnknownWording.WORDS) && UnknownWording.isIn(text));
    if (isFailure) {
      return Relevance.FAILURE;
    }
    return Collections.disjoint(present, ofReports) ? Relevance.NONE : Relevance.REPORT;
  }
}
