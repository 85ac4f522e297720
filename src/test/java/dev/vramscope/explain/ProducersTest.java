package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.MessageProducer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
      List<LogMessage> messages =
          LogExplanation.of(example).conclusions().stream()
              .flatMap(conclusion -> conclusion.messages().stream())
              .toList();
      assertThat(messages).as(example).extracting(each -> Producers.of(each)).contains(producer);
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

  private static final long BYTES = 7_784_628_224L; // 7.25 GiB

  private static final List<String> WRITTEN =
      List.of("7.25 GiB", "7.25GiB", "7424 MiB", "7424.00MiB", "7602176 KiB", BYTES + " bytes");

  /** A number is read with its unit or not at all, in the form of every example. */
  @ParameterizedTest
  @FieldSource("ALL")
  void eachSizeIsReadWithItsUnit(MessageProducer producer) {
    for (String example : producer.examples()) {
      for (LogMessage message : Producers.read(example).messages()) {
        for (Field field : message.fields()) {
          // Tables have one unit for all rows; a size that is written twice stays as it is.
          int at = example.indexOf(field.written());
          boolean isOnce = at >= 0 && example.indexOf(field.written(), at + 1) < 0;
          boolean isOnly =
              message.fields().stream().filter(each -> each.name() == field.name()).count() == 1;
          if (field.quantity().isPresent()
              && isOnce
              && isOnly
              && !field.written().startsWith("0x")
              && !producer.otherKinds().contains(message.kind())) {
            check(example, message, field);
          }
        }
      }
    }
  }

  private static void check(String example, LogMessage message, Field field) {
    for (String written : WRITTEN) {
      String text = example.replace(field.written(), written);
      assertThat(quantity(text, message, field))
          .as("%s of %s", field.name(), text)
          .hasValueSatisfying(read -> assertThat(read.mayBe(BYTES)).isTrue());
    }
    if (field.written().matches(".*[A-Za-z].*")) {
      String text = example.replace(field.written(), "256.00");
      assertThat(quantity(text, message, field).map(Quantity::bytes))
          .as("%s of %s", field.name(), text)
          .isNotEqualTo(Optional.of(256L));
    }
  }

  private static Optional<Quantity> quantity(String text, LogMessage message, Field field) {
    return Producers.read(text).messages().stream()
        .filter(each -> each.kind() == message.kind())
        .flatMap(each -> each.quantity(field.name()).stream())
        .findFirst();
  }
}
