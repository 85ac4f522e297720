package dev.vramscope.explain.producer;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.util.List;
import java.util.Optional;

/**
 * A size that was requested and that no memory can have: negative, more than 256 TiB, or more than
 * a hundred times the device. Nothing else in the text is the cause of such a failure.
 *
 * @param message that has the number
 * @param written as the text has it
 */
public record ImpossibleSize(LogMessage message, String written) {
  /** The sizes of a request, or of a program that was to be placed. */
  private static final List<FieldName> NAMES =
      List.of(FieldName.REQUESTED, FieldName.ROUNDED, FieldName.TOTAL_NEEDED, FieldName.USED);

  /** No device and no host has more. */
  private static final long MOST_BYTES = 1L << 48;

  private static final int MOST_DEVICES = 100;

  /** The size of a message; empty if it is possible or unknown, and for reports. */
  public static Optional<ImpossibleSize> of(LogMessage message) {
    if (!message.kind().isFailure() && !message.kind().isWarning()) {
      return Optional.empty();
    }
    long device = message.quantity(FieldName.TOTAL).map(Quantity::bytes).orElse(0L);
    long most = device == 0 ? MOST_BYTES : Math.min(MOST_BYTES, MOST_DEVICES * device);
    return NAMES.stream()
        .flatMap(name -> message.fields().stream().filter(field -> field.name() == name))
        .filter(field -> field.quantity().map(Quantity::leastBytes).orElse(Long.MAX_VALUE) > most)
        .map(Field::written)
        .map(written -> written.matches("-?[0-9,]+") ? written + " bytes" : written)
        .findFirst()
        .map(written -> new ImpossibleSize(message, written));
  }
}
