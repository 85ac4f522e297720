package dev.vramscope.explain;

import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Statement;
import dev.vramscope.model.Certainty;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The size of a device that a program prints itself, for messages that do not have it. */
final class PrintedTotal {
  private static final Pattern TOTAL =
      Pattern.compile(
          "(?i)^(?!.*(?:model|cache|batch|data|weight|param|host|cpu|ram\\b)).*\\b(?:total|capacity)$");

  private PrintedTotal() {}

  /** The conclusion, with what a request is compared with such a size. */
  static Conclusion beside(Conclusion conclusion, LogMessage printed) {
    boolean isSaid =
        conclusion.messages().stream()
            .anyMatch(message -> message.quantity(FieldName.TOTAL).isPresent());
    List<Field> totals =
        printed.fields().stream().filter(field -> TOTAL.matcher(field.of()).find()).toList();
    Optional<Field> larger =
        conclusion
            .message()
            .quantity(FieldName.REQUESTED)
            .filter(_ -> !isSaid && totals.size() == 1)
            .filter(
                request ->
                    Amounts.isSurelyMore(request, totals.getFirst().quantity().orElseThrow()))
            .map(_ -> totals.getFirst());
    return larger
        .map(
            total ->
                conclusion.beside(
                    new Statement(
                        Certainty.LIKELY,
                        "The request is larger than the whole device, if that is what the program"
                            + " prints as “"
                            + total.of()
                            + "”: "
                            + total.written()
                            + ". No setting can serve it: it has to be smaller, or divided."),
                    List.of()))
        .orElse(conclusion);
  }
}
