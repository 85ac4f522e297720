package dev.vramscope.format.rmm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Event logs of RMM: of today, of Spark without a header, and of the first releases. */
class RmmLogReaderTest {
  private static final String HEADER = "Thread,Time,Action,Pointer,Size,Stream\n";

  private static Snapshot read(String text) throws IOException, FormatException {
    return RmmLogReader.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), ReadLimits.defaults());
  }

  private static List<String> events(Trace trace) {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < trace.size(); i++) {
      events.add(
          trace.action(i)
              + " "
              + Long.toHexString(trace.address(i))
              + " "
              + trace.bytes(i)
              + " on "
              + trace.stream(i)
              + " at "
              + trace.timeMicros(i));
    }
    return events;
  }

  @Test
  void rowsBecomeEvents() throws IOException, FormatException {
    Snapshot snapshot =
        read(
            HEADER
                + """
                7,23:59:59.999999,allocate,0x10012400000,1048576,0
                8,00:00:00.000001,allocate failure,(nil),4294967296,0x1
                7,00:00:01.5,free,0x10012400000,1048576,2
                """);
    Trace trace = snapshot.devices().getFirst().trace();
    assertThat(events(trace))
        .containsExactly(
            "ALLOC 10012400000 1048576 on 0 at 86399999999",
            "OOM 0 4294967296 on 1 at 86400000001",
            "FREE_COMPLETED 10012400000 1048576 on 2 at 86401500000");
    assertThat(trace.ooms()).containsExactly(new OomEvent(1, 4_294_967_296L, OomEvent.UNKNOWN));
    assertThat(snapshot.devices().getFirst().segments()).isEmpty();
  }

  @Test
  void rowsAmongTheLinesOfOthers() throws IOException, FormatException {
    Snapshot snapshot =
        read(
            """
            25/01/02 INFO Executor: Running task
            1979932,14:21:19:998533,allocate,0x30a000000,256,0x2
            1980043,14:21:32:661875,deallocate,0x30a000000,256,0x2
            """);
    assertThat(snapshot.devices().getFirst().trace().size()).isEqualTo(1);
    assertThat(snapshot.findings())
        .filteredOn(finding -> finding.code().equals("lines-skipped"))
        .singleElement()
        .extracting(Finding::count)
        .isEqualTo(2L);
  }

  @Test
  void theFirstReleasesWroteTheDevice() throws IOException, FormatException {
    Snapshot snapshot =
        read(
            """
            Event Type,Device ID,Address,Stream,Size (bytes),Free Memory,Total Memory,Current Allocs,Start,End,Elapsed,Location
            Alloc,1,0x7f4b99a00000,0,10,1048064,1048576,1,13.5,13.5,3.7e-06,/a/b.py:33
            Free,1,0x7f4b99a00000,0,10,1048074,1048576,0,14.0,14.0,3.7e-06,/a/b.py:34
            """);
    assertThat(snapshot.devices().getFirst().ordinal()).isEqualTo(1);
    assertThat(events(snapshot.devices().getFirst().trace()))
        .containsExactly(
            "ALLOC 7f4b99a00000 10 on 0 at 13500000",
            "FREE_COMPLETED 7f4b99a00000 10 on 0 at 14000000");
  }

  @Test
  void aLogWithoutEventsIsRejected() {
    assertThatThrownBy(() -> read(HEADER)).hasMessageContaining("no event");
    assertThatThrownBy(() -> read(HEADER + "a,b\n")).hasMessageContaining("line 2");
  }

  @Test
  void damagedRowsAreSkipped() throws IOException {
    String row = "2342727,15:47:02.841961,allocate,0x10012400000,1048576,0\n";
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 2000; round++) {
      StringBuilder text = new StringBuilder(HEADER + row.repeat(3));
      for (int change = 0; change < 6; change++) {
        text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(10, 127));
      }
      try {
        assertThat(read(text.toString()).devices()).isNotEmpty();
      } catch (FormatException rejected) {
        assertThat(rejected.next()).as("seed 3, round " + round).isNotEmpty();
      }
    }
  }

  @Test
  void nothingIsSaidOfWhatThePoolHolds() throws IOException, FormatException {
    DeviceSnapshot device =
        read(HEADER + "7,10:00:00.000001,allocate,0x10,1048576,0\n").devices().getFirst();
    assertThat(device.kind()).isEqualTo(RecordingKind.REQUEST_LOG);
    assertThat(device.facts().deviceBytes()).isEmpty();
  }

  @Test
  void oldLogsSayHowLargeTheDeviceIs() throws IOException, FormatException {
    DeviceSnapshot device =
        read("Event Type,Device ID,Address,Stream,Size (bytes),Free Memory,Total Memory,Current"
                + " Allocs,Start,End,Elapsed,Location\n"
                + "Alloc,0,0x7f00,0,10,1048064,1048576,1,13.8,13.8,3e-06,a.py:1\n")
            .devices()
            .getFirst();
    assertThat(device.facts().deviceBytes()).hasValue(1048576);
    assertThat(device.facts().deviceFreeBytes()).hasValue(1048064);
  }

  @Test
  void sizesThatNoDeviceHasAreNoEvents() throws IOException, FormatException {
    String row = "7,10:00:00.000001,allocate,0x%d,9223372036854775807,0\n";
    String one = "7,10:00:00.000001,allocate,0x99,1,0\n";
    Snapshot snapshot = read(HEADER + row.formatted(1) + row.formatted(2) + one);
    assertThat(snapshot.devices().getFirst().trace().size()).isEqualTo(1);
    assertThat(snapshot.findings()).extracting(Finding::code).contains("lines-skipped");
    String large = "7,10:00:00.000001,allocate,0x10,1125899906842624,0\n".repeat(3000);
    assertThatThrownBy(() -> read(HEADER + large))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("more bytes together");
  }
}
