package dev.vramscope.format.xplane;

import com.google.protobuf.CodedInputStream;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.xla.ProtobufFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one plane. Names come after the events that they belong to, so events that are long enough
 * for one of an allocator are kept as bytes until the plane ends; the others are skipped.
 */
final class PlaneReader {
  /** An event of an allocator has eight stats or more, of six bytes or more. */
  private static final int MIN_EVENT_BYTES = 48;

  /** Kept bytes of an event, and those of their array. */
  private static final int KEPT_OVERHEAD_BYTES = 24;

  private final CodedInputStream in;
  private final ProtobufFields fields;
  private final ReadLimits limits;
  private final String next;
  private final Map<Long, String> eventNames = new HashMap<>();
  private final Map<Long, String> statNames = new HashMap<>();
  private final List<Line> lines = new ArrayList<>();
  private String name = "";
  private long events;
  private long keptBytes;

  /** A thread: when it begins, and those of its events that may be of an allocator. */
  private static final class Line {
    private long startNanos;
    private final List<byte[]> events = new ArrayList<>();
  }

  PlaneReader(CodedInputStream in, ProtobufFields fields, ReadLimits limits, String next) {
    this.in = in;
    this.fields = fields;
    this.limits = limits;
    this.next = next;
  }

  /** Gets the events of allocators. */
  @FunctionalInterface
  interface Events {
    /**
     * Takes an event.
     *
     * @param lineNanos when its line begins, in nanoseconds since 1970
     */
    void add(String eventName, long lineNanos, EventStats stats) throws FormatException;
  }

  /** Reads the plane that is the value of the current field. */
  void read() throws IOException, FormatException {
    fields.nested(
        number -> {
          if (!fields.isDelimited()) {
            return false;
          }
          switch (number) {
            case 2 -> name = text();
            case 3 -> line();
            case 4 -> name(eventNames);
            case 5 -> name(statNames);
            default -> {
              return false;
            }
          }
          return true;
        });
  }

  /** What the plane is of, such as {@code /host:CPU}. */
  String name() {
    return name;
  }

  /** All events of the plane. */
  long events() {
    return events;
  }

  /** The events with one of these names, line by line. */
  void events(List<String> names, Events sink) throws IOException, FormatException {
    for (Line line : lines) {
      for (byte[] event : line.events) {
        EventStats stats = EventStats.of(event, statNames, next);
        String eventName = eventNames.getOrDefault(stats.metadata(), "");
        if (names.contains(eventName)) {
          sink.add(eventName, line.startNanos, stats);
        }
      }
    }
  }

  private void line() throws IOException, FormatException {
    Line line = new Line();
    fields.nested(
        number -> {
          if (number == 3 && fields.isNumber()) {
            line.startNanos = in.readInt64();
            return true;
          }
          if (number != 4 || !fields.isDelimited()) {
            return false;
          }
          event(line);
          return true;
        });
    if (!line.events.isEmpty()) {
      lines.add(line);
    }
  }

  private void event(Line line) throws IOException, FormatException {
    events++;
    int length = in.readRawVarint32();
    if (length < 0) {
      throw fields.malformed("an event has a negative length");
    }
    if (length < MIN_EVENT_BYTES || length > limits.encoding().maxStringBytes()) {
      in.skipRawBytes(length);
      return;
    }
    keep(length);
    line.events.add(in.readRawBytes(length));
  }

  private void name(Map<Long, String> names) throws IOException, FormatException {
    long[] key = new long[1];
    String[] value = {""};
    fields.nested(
        number -> {
          if (number == 1 && fields.isNumber()) {
            key[0] = in.readInt64();
            return true;
          }
          if (number != 2 || !fields.isDelimited()) {
            return false;
          }
          fields.nested(
              member -> {
                boolean isName = member == 2 && fields.isDelimited();
                if (isName) {
                  value[0] = text();
                } else if (member == 1 && fields.isNumber()) {
                  long id = in.readInt64();
                  key[0] = key[0] == 0 ? id : key[0];
                  return true;
                }
                return isName;
              });
          return true;
        });
    names.put(key[0], value[0]);
    keep(value[0].length());
  }

  private String text() throws IOException, FormatException {
    String text = in.readString();
    if (text.length() > limits.encoding().maxStringBytes()) {
      throw fields.tooLarge("a name has " + text.length() + " characters");
    }
    return text;
  }

  private void keep(long bytes) throws FormatException {
    keptBytes += bytes + KEPT_OVERHEAD_BYTES;
    if (keptBytes > limits.maxHeapBytes() / 2) {
      throw fields.tooLarge(
          "the plane " + name + " has more events with details than fit into the heap");
    }
  }
}
