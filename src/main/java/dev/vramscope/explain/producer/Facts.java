package dev.vramscope.explain.producer;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What several messages say: of a field that is written more than once, the last one counts. */
public record Facts(List<LogMessage> messages) {
  public Facts {
    messages = List.copyOf(messages);
  }

  /** The bytes of a field. */
  public Optional<Quantity> quantity(FieldName name) {
    return last(field -> field.name() == name && field.quantity().isPresent())
        .flatMap(Field::quantity);
  }

  /** The text of a field. */
  public Optional<String> written(FieldName name) {
    return last(field -> field.name() == name).map(Field::written);
  }

  /** What is said of one device, or process, and what is said of all of them. */
  public Facts about(String of) {
    return new Facts(
        messages.stream()
            .map(
                message ->
                    new LogMessage(
                        message.kind(),
                        message.line(),
                        message.times(),
                        message.fields().stream()
                            .filter(field -> field.of().isEmpty() || field.of().equals(of))
                            .toList(),
                        message.process()))
            .toList());
  }

  /** The facts that stand above a line. */
  public Facts before(int line) {
    return new Facts(messages.stream().filter(message -> message.line() <= line).toList());
  }

  private Optional<Field> last(Predicate<Field> condition) {
    return messages.stream()
        .flatMap(message -> message.fields().stream())
        .filter(condition)
        .reduce((_, later) -> later);
  }
}
