package dev.vramscope.format.export.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.format.export.DeviceTimeline;
import dev.vramscope.format.export.DeviceTimeline.Allocation;
import dev.vramscope.format.export.Wire;
import dev.vramscope.model.Annotation;
import dev.vramscope.model.Annotation.Stage;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PerfettoWriterTest {
  private static final long TIME = 1_771_267_191_145_495L;
  private static final String[] TYPES = {"", "begin", "end", "instant", "counter"};

  private final long[] active = {100, 100, 600, 600, 100};
  private final long[] reserved = {0, 2048, 2048, 2048, 2048};
  private final Trace.Builder trace = new Trace.Builder();

  @Test
  void countersInstantsAndSlicesHaveTheirTimes() throws IOException {
    time(trace.add(TraceAction.SEGMENT_ALLOC, 4096, 2048), TIME);
    time(trace.add(TraceAction.ALLOC, 4096, 500), TIME + 10);
    int oom = trace.add(TraceAction.OOM, 0, 9000);
    trace.oom(oom, 9000, 77);
    time(oom, TIME + 20);
    time(trace.add(TraceAction.FREE_COMPLETED, 4096, 500), TIME + 30);

    assertThat(
            events(
                write(
                    List.of(new Allocation("f m.py:7", 4096, 500, 0, 1, 3)),
                    List.of(
                        new Annotation("step", Stage.START, TIME + 5),
                        new Annotation("step", Stage.END, TIME + 25)))))
        .containsExactly(
            "0 Active (requested) counter 100",
            "0 Reserved counter 0",
            "0 Reserved counter 2048",
            "0 Segments instant segment_alloc {event=0, bytes=2048, address=0x1000, stream=0}",
            "10 Active (requested) counter 600",
            "10 Largest allocations begin f m.py:7 {bytes=500, address=0x1000, event=1}",
            "20 Failed requests instant oom {event=2, bytes=9000, stream=0, device_free_bytes=77}",
            "30 Active (requested) counter 100",
            "30 Largest allocations end",
            "5 Annotations begin step {}",
            "25 Annotations end",
            "0 Device 2 instant Recording {events=4, allocations=9, allocations_shown=1,"
                + " allocations_left_out=8, annotations_left_out=0, events_without_time=0}");
  }

  @Test
  void eventsWithoutTimeAreOneMicrosecondApart() throws IOException {
    for (int i = 0; i < 4; i++) {
      trace.add(TraceAction.SNAPSHOT, 0, i);
    }
    List<String> found = events(write(List.of(), List.of()));
    assertThat(found.stream().filter(each -> each.contains("snapshot")))
        .extracting(each -> each.split(" ", -1)[0])
        .containsExactly("0", "1", "2", "3");
    assertThat(found.getLast())
        .contains("events_without_time=4", "time=1 µs for each event without a recorded time");
  }

  @Test
  void timesNeverGoBack() throws IOException {
    time(trace.add(TraceAction.SNAPSHOT, 0, 0), TIME + 50);
    time(trace.add(TraceAction.SNAPSHOT, 0, 0), TIME);
    time(trace.add(TraceAction.SNAPSHOT, 0, 0), Long.MAX_VALUE);
    time(trace.add(TraceAction.SNAPSHOT, 0, 0), TIME + 60);
    assertThat(
            events(write(List.of(), List.of())).stream().filter(each -> each.contains("snapshot")))
        .extracting(each -> each.split(" ", -1)[0])
        .containsExactly("50", "50", "51", "60");
  }

  @Test
  void overlappingSlicesAreOnDifferentTracks() throws IOException {
    for (int i = 0; i < 4; i++) {
      trace.add(TraceAction.FREE_REQUESTED, 0, 0);
    }
    List<Wire> packets =
        write(
            List.of(
                new Allocation("before", 1, 1, 0, DeviceTimeline.BEFORE_RECORDING, 1),
                new Allocation("first", 1, 1, 0, 0, 2),
                new Allocation("reuses", 1, 1, 0, 1, DeviceTimeline.NEVER),
                new Allocation("open", 1, 1, 0, 1, DeviceTimeline.NEVER)),
            List.of());
    Map<String, Long> tracks = new HashMap<>();
    for (Wire packet : packets) {
      for (Wire event : packet.messages(11)) {
        if (event.number(9).getAsLong() == 1) {
          tracks.put(event.text(23), event.number(11).getAsLong());
        }
      }
    }
    assertThat(tracks.get("reuses")).isEqualTo(tracks.get("before"));
    assertThat(new ArrayList<>(tracks.values()).stream().distinct()).hasSize(3);
  }

  @Test
  void unmatchedAnnotationsAreCounted() throws IOException {
    List<String> found =
        events(
            write(
                List.of(),
                List.of(
                    new Annotation("no time", Stage.START, Trace.NO_TIME),
                    new Annotation("open", Stage.START, TIME),
                    new Annotation("end only", Stage.END, TIME + 1))));
    assertThat(found).contains("0 Annotations begin open {}");
    assertThat(found.getLast()).contains("annotations_left_out=2");
  }

  private void time(int row, long micros) {
    trace.timeMicros(row, micros);
  }

  private List<Wire> write(List<Allocation> largest, List<Annotation> annotations)
      throws IOException {
    DeviceSnapshot device = new DeviceSnapshot(2, List.of(), trace.build(), annotations);
    Snapshot snapshot =
        new Snapshot(
            new Origin("", "", Trace.NO_TIME),
            Optional.empty(),
            List.of(device),
            StackTable.EMPTY,
            List.of());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PerfettoWriter.write(
        snapshot,
        List.of(device),
        _ -> {
          if (EventClock.earliest(List.of(device)) != Trace.NO_TIME) {
            assertThat(out.size()).as("bytes before the analyses").isPositive();
          }
          return new DeviceTimeline(
              device, event -> active[event + 1], event -> reserved[event + 1], largest, 9);
        },
        out);
    return Wire.of(out.toByteArray()).messages(1);
  }

  /** Each event as microseconds since the start, track, type, and name or value. */
  private static List<String> events(List<Wire> packets) {
    Map<Long, String> tracks = new HashMap<>();
    List<String> found = new ArrayList<>();
    long start = 0;
    for (Wire packet : packets) {
      for (Wire clock : packet.messages(6)) {
        start = clock.messages(1).getFirst().number(2).getAsLong();
      }
      for (Wire track : packet.messages(60)) {
        tracks.put(track.number(1).getAsLong(), track.text(2));
      }
      for (Wire event : packet.messages(11)) {
        String type = TYPES[(int) event.number(9).getAsLong()];
        String content =
            switch (type) {
              case "counter" -> " " + event.number(30).getAsLong();
              case "end" -> "";
              default -> " " + event.text(23) + " {" + details(event) + "}";
            };
        found.add(
            (packet.number(8).getAsLong() - start) / 1_000
                + " "
                + tracks.get(event.number(11).getAsLong())
                + " "
                + type
                + content);
      }
    }
    return found;
  }

  private static String details(Wire event) {
    return String.join(
        ", ",
        event.messages(4).stream()
            .map(
                each ->
                    each.text(10)
                        + "="
                        + (each.number(4).isPresent()
                            ? Long.toString(each.number(4).getAsLong())
                            : each.text(6)))
            .toList());
  }
}
