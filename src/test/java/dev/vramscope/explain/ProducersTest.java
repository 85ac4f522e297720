package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.findings.LogMessage;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.MessageProducer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What each producer says of itself is true. */
class ProducersTest {
  private static final List<MessageProducer> ALL = Producers.all();

  @ParameterizedTest
  @FieldSource("ALL")
  void eachExampleIsRecognizedAndExplained(MessageProducer producer) {
    assertThat(producer.examples()).isNotEmpty();
    for (String example : producer.examples()) {
      List<LogMessage> findings =
          LogExplanation.of(example).conclusions().stream()
              .flatMap(conclusion -> conclusion.messages().stream())
              .toList();
      assertThat(findings).as(example).extracting(each -> Producers.of(each)).contains(producer);
      Conclusion conclusion = LogExplanation.of(example).conclusions().getFirst();
      assertThat(conclusion.headline()).as(example).matches("(?s).+[.”]");
      assertThat(conclusion.statements()).as(example).doesNotHaveDuplicates();
    }
  }

  @Test
  void kindsAndProducersHaveNamesOfTheirOwn() {
    Set<String> names = new HashSet<>();
    assertThat(ALL).allMatch(producer -> names.add(producer.name()));
    List<String> ids =
        ALL.stream()
            .flatMap(
                producer ->
                    Stream.concat(
                        producer.forms().stream().map(form -> form.kind()),
                        producer.otherKinds().stream()))
            .distinct()
            .map(kind -> kind.id())
            .toList();
    assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("[a-z0-9-]+"));
  }

  /** One that a rule of another producer takes is of the other, too: the first has the place. */
  @Test
  void eachExampleIsOneFailureAtMost() {
    for (MessageProducer producer : ALL) {
      for (String example : producer.examples()) {
        assertThat(
                LogExplanation.of(example).conclusions().stream()
                    .filter(Conclusion::isFailure)
                    .count())
            .as(example)
            .isLessThanOrEqualTo(1);
      }
    }
  }
}
