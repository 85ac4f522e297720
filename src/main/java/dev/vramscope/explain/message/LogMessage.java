package dev.vramscope.explain.message;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.model.ByteText;
import java.util.List;
import java.util.Optional;

/**
 * A message in a text.
 *
 * @param line of its first occurrence, from 1
 * @param times how often the text has it with the same fields, at least 1
 * @param fields in the order of the text
 * @param process who wrote it, as the lines of the log say it; empty if they do not
 */
public record LogMessage(
    MessageKind kind, int line, int times, List<Field> fields, String process) {
  public LogMessage {
    fields = List.copyOf(fields);
  }

  /** A message of a text that does not name its writers. */
  public LogMessage(MessageKind kind, int line, int times, List<Field> fields) {
    this(kind, line, times, fields, "");
  }

  /** The same message, of another kind. */
  public LogMessage as(MessageKind other) {
    return new LogMessage(other, line, times, fields, process);
  }

  /** The text of a field, if the message has it. */
  public Optional<String> written(FieldName name) {
    return fields.stream().filter(each -> each.name() == name).map(Field::written).findFirst();
  }

  /** Who wrote it, in words: "rank 3" of {@code [rank3]:}; empty if the log does not say it. */
  public String writer() {
    return process
        .replaceAll("[\\[\\]():]+", " ")
        .strip()
        .replaceAll(" +", " ")
        .replaceAll("^[0-9]+$", "task $0")
        .replaceAll("\\brank[ _-]?(?=[0-9])", "rank ")
        .replaceAll("\\bdefault[ _-]?(?=[0-9])", "local rank ");
  }

  /** " of 2 GiB", to stand after what asked for it; nothing if the size is not known. */
  public String ofRequested() {
    return quantity(FieldName.REQUESTED)
        .map(bytes -> " of " + ByteText.of(bytes.bytes()))
        .orElse("");
  }

  /** " on GPU 3", to stand after what happened; nothing if the device is not known. */
  public String onGpu() {
    return written(FieldName.DEVICE).map(" on GPU "::concat).orElse("");
  }

  /** The bytes of a field, if the message has it. */
  public Optional<Quantity> quantity(FieldName name) {
    return fields.stream()
        .filter(each -> each.name() == name)
        .flatMap(each -> each.quantity().stream())
        .findFirst();
  }
}
