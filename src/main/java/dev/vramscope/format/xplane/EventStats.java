package dev.vramscope.format.xplane;

import com.google.protobuf.CodedInputStream;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.xla.ProtobufFields;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stats of one event by name: numbers, and texts that may stand in the table of names. */
final class EventStats {
  private final Map<String, Long> numbers = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>();
  private long metadata;
  private long offsetPicos;

  /**
   * Reads an event.
   *
   * @param names of stats, by their numbers
   */
  static EventStats of(byte[] event, Map<Long, String> names, String next)
      throws IOException, FormatException {
    EventStats stats = new EventStats();
    CodedInputStream in = CodedInputStream.newInstance(event);
    ProtobufFields fields = new ProtobufFields(in, next);
    fields.message(
        number -> {
          if (number == 4 && fields.isDelimited()) {
            stats.stat(in, fields, names);
            return true;
          }
          boolean isKnown = (number == 1 || number == 2) && fields.isNumber();
          if (isKnown && number == 1) {
            stats.metadata = in.readInt64();
          } else if (isKnown) {
            stats.offsetPicos = in.readInt64();
          }
          return isKnown;
        });
    return stats;
  }

  private void stat(CodedInputStream in, ProtobufFields fields, Map<Long, String> names)
      throws IOException, FormatException {
    long[] id = new long[1];
    @Nullable Long[] number = new @Nullable Long[1];
    @Nullable String[] text = new @Nullable String[1];
    fields.nested(
        field -> {
          switch (field) {
            case 1, 3, 4, 7 -> {
              if (!fields.isNumber()) {
                return false;
              }
              long value = in.readInt64();
              switch (field) {
                case 1 -> id[0] = value;
                case 7 -> text[0] = names.getOrDefault(value, "");
                default -> number[0] = value;
              }
            }
            case 5, 6 -> {
              if (!fields.isDelimited()) {
                return false;
              }
              text[0] = in.readString();
            }
            default -> {
              return false;
            }
          }
          return true;
        });
    String name = names.get(id[0]);
    if (name != null && number[0] != null) {
      numbers.put(name, number[0]);
    } else if (name != null && text[0] != null) {
      texts.put(name, text[0]);
    }
  }

  /** The number of the event's name. */
  long metadata() {
    return metadata;
  }

  /** The time of the event relative to that of its line, in picoseconds. */
  long offsetPicos() {
    return offsetPicos;
  }

  /** A number, also one that is written as a text; empty if the event has none of this name. */
  Optional<Long> number(String name) {
    Long number = numbers.get(name);
    return number != null
        ? Optional.of(number)
        : Optional.ofNullable(texts.get(name)).flatMap(EventStats::parsed);
  }

  private static Optional<Long> parsed(String text) {
    try {
      return Optional.of(Long.parseUnsignedLong(text.strip()));
    } catch (NumberFormatException none) {
      return Optional.empty();
    }
  }

  /** A text; empty if the event has none of this name. */
  String text(String name) {
    Long number = numbers.get(name);
    return number != null ? number.toString() : texts.getOrDefault(name, "");
  }
}
