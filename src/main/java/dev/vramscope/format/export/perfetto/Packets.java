package dev.vramscope.format.export.perfetto;

import dev.vramscope.format.export.ProtobufMessage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes packets of one sequence. Field numbers are those of Perfetto's {@code trace_packet.proto},
 * {@code track_event.proto} and {@code track_descriptor.proto}.
 */
final class Packets {
  /** Types of track events. */
  enum EventType {
    SLICE_BEGIN(1),
    SLICE_END(2),
    INSTANT(3),
    COUNTER(4);

    private final int code;

    EventType(int code) {
      this.code = code;
    }
  }

  private static final int PACKET = 1;
  private static final int SEQUENCE = 1;
  private static final int BYTES_UNIT = 3;
  private static final int EXPLICIT_ORDER = 3;
  private static final int REALTIME = 1;
  private static final int BOOTTIME = 6;

  private final OutputStream out;
  private final ProtobufMessage trace = new ProtobufMessage();
  private final ProtobufMessage packet = new ProtobufMessage();
  private final ProtobufMessage event = new ProtobufMessage();
  private final ProtobufMessage part = new ProtobufMessage();
  private final ProtobufMessage detail = new ProtobufMessage();

  Packets(OutputStream out) {
    this.out = out;
  }

  /** Says that times are those of the calendar. Must come before the first event. */
  void calendarTime(long nanos) throws IOException {
    part.clear();
    for (int clock : new int[] {BOOTTIME, REALTIME}) {
      part.message(1, detail.clear().number(1, clock).number(2, nanos));
    }
    write(packet.clear().message(6, part));
  }

  /**
   * Describes a track.
   *
   * @param parent the track that contains it, 0 for none
   * @param rank its place among the tracks of its parent
   * @param isCounter of bytes
   */
  void track(long track, long parent, int rank, String name, String description, boolean isCounter)
      throws IOException {
    part.clear().number(1, track).text(2, name);
    if (parent != 0) {
      part.number(5, parent).number(12, rank);
    } else {
      part.number(11, EXPLICIT_ORDER);
    }
    if (isCounter) {
      part.message(8, detail.clear().number(3, BYTES_UNIT));
    }
    if (!description.isEmpty()) {
      part.text(14, description);
    }
    write(packet.clear().message(60, part));
  }

  void counter(long track, long nanos, long value) throws IOException {
    begin(EventType.COUNTER, track);
    event.number(30, value);
    end(nanos);
  }

  void sliceEnd(long track, long nanos) throws IOException {
    begin(EventType.SLICE_END, track);
    end(nanos);
  }

  /**
   * Writes an instant or the beginning of a slice.
   *
   * @param details names with a text or a number; null values are left out
   */
  void event(
      EventType type, long track, long nanos, String name, Map<String, @Nullable Object> details)
      throws IOException {
    begin(type, track);
    event.text(23, name);
    for (Map.Entry<String, @Nullable Object> detail : details.entrySet()) {
      part.clear().text(10, detail.getKey());
      if (detail.getValue() instanceof Number number) {
        event.message(4, part.number(4, number.longValue()));
      } else if (detail.getValue() != null) {
        event.message(4, part.text(6, detail.getValue().toString()));
      }
    }
    end(nanos);
  }

  private void begin(EventType type, long track) throws IOException {
    event.clear().number(9, type.code).number(11, track);
  }

  private void end(long nanos) throws IOException {
    write(packet.clear().number(8, nanos).message(11, event));
  }

  private void write(ProtobufMessage content) throws IOException {
    content.number(10, SEQUENCE);
    trace.clear().message(PACKET, content).writeTo(out);
  }
}
