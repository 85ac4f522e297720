package dev.vramscope.format.torch;

import static dev.vramscope.format.torch.PlainUnpickler.dict;
import static dev.vramscope.format.torch.PlainUnpickler.field;
import static dev.vramscope.format.torch.PlainUnpickler.list;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.NeedsThirdPartyFiles;
import dev.vramscope.TestData;
import dev.vramscope.ThirdPartyFiles;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks real files of all releases against the counts in INDEX.md and a second unpickler. */
class RealSnapshotsTest {
  private static final String FOLDER = "snapshots/torch";

  @TestFactory
  @NeedsThirdPartyFiles
  Stream<DynamicTest> countsMatchIndex() throws IOException {
    Map<String, String[]> rows = new TreeMap<>();
    for (String line : Files.readAllLines(ThirdPartyFiles.require("snapshots/INDEX.md"))) {
      String[] cells = line.split("\\s*\\|\\s*", -1);
      if (cells.length > 9 && cells[1].endsWith(".pickle")) {
        rows.put(cells[1], cells);
      }
    }
    assertThat(rows).hasSize(25);
    return rows.entrySet().stream()
        .map(row -> DynamicTest.dynamicTest(row.getKey(), () -> compareWithIndex(row.getValue())));
  }

  // | file | source | licence | written by torch | bytes | segments | blocks | events | actions |
  private static void compareWithIndex(String[] row) throws Exception {
    Snapshot snapshot = SampleSnapshots.read(bytes(ThirdPartyFiles.require(FOLDER + "/" + row[1])));
    int segments = 0;
    int blocks = 0;
    Map<String, Integer> actions = new TreeMap<>();
    List<Integer> events = new ArrayList<>();
    for (DeviceSnapshot device : snapshot.devices()) {
      segments += device.segments().size();
      for (Segment segment : device.segments()) {
        blocks += segment.blocks().size();
      }
      events.add(device.trace().size());
      for (int event = 0; event < device.trace().size(); event++) {
        actions.merge(device.trace().action(event).torchName(), 1, Integer::sum);
      }
    }
    assertThat(segments).isEqualTo(Integer.parseInt(row[6]));
    assertThat(blocks).isEqualTo(Integer.parseInt(row[7]));
    assertThat(events.stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(Stream.of(row[8].split(",")).mapToInt(Integer::parseInt).sum());
    Map<String, Integer> expected = new TreeMap<>();
    for (String action : row[9].isEmpty() ? new String[0] : row[9].split(" ")) {
      expected.put(action.split(":")[0], Integer.parseInt(action.split(":")[1]));
    }
    assertThat(actions).isEqualTo(expected);
    assertThat(snapshot.findings()).isEmpty();
    assertThat(matches(row[4], snapshot.origin().producer()))
        .as(row[4] + " is " + snapshot.origin().producer())
        .isTrue();
  }

  // For some files, the range of releases in the index is wider than the keys allow.
  private static boolean matches(String index, String producer) {
    return switch (index.split(" ")[0]) {
      case ">=2.10" -> producer.equals("PyTorch 2.10 or 2.11");
      case ">=2.9" -> producer.equals("PyTorch 2.9");
      case "2.5-2.8" ->
          producer.equals("PyTorch 2.5 to 2.7") || producer.equals("PyTorch 2.5 to 2.8");
      case "2.3-2.4" -> producer.equals("PyTorch 2.3 or 2.4");
      case "2.1-2.2" -> producer.equals("PyTorch 2.1 or 2.2");
      case "1.13-2.0" -> producer.equals("PyTorch 1.13 or 2.0");
      default -> false;
    };
  }

  @TestFactory
  Stream<DynamicTest> everyFieldOfOwnSnapshotsMatchesPlainUnpickler() {
    return comparisons(TestData.snapshots());
  }

  @TestFactory
  @NeedsThirdPartyFiles
  Stream<DynamicTest> everyFieldMatchesPlainUnpickler() {
    return comparisons(ThirdPartyFiles.files(FOLDER));
  }

  private static Stream<DynamicTest> comparisons(List<Path> files) {
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(), () -> compareWithTree(bytes(file))));
  }

  private static void compareWithTree(byte[] pickle) throws Exception {
    Snapshot snapshot = SampleSnapshots.read(pickle);
    Map<String, Object> root = dict(PlainUnpickler.load(pickle));
    Map<Integer, List<Map<String, Object>>> segments = new HashMap<>();
    for (Object segment : list(field(root, "segments"))) {
      segments
          .computeIfAbsent(
              number(field(dict(segment), "device")).intValue(), _ -> new ArrayList<>())
          .add(dict(segment));
    }
    List<Object> traces = list(field(root, "device_traces"));
    for (DeviceSnapshot device : snapshot.devices()) {
      compareSegments(snapshot, device, segments.getOrDefault(device.ordinal(), new ArrayList<>()));
      compareTrace(snapshot, device.trace(), list(traces.get(device.ordinal())));
    }
  }

  private static void compareSegments(
      Snapshot snapshot, DeviceSnapshot device, List<Map<String, Object>> expected) {
    expected.sort((a, b) -> number(field(a, "address")).compareTo(number(field(b, "address"))));
    assertThat(device.segments()).hasSize(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      Segment segment = device.segments().get(i);
      Map<String, Object> fields = expected.get(i);
      assertThat(segment.address()).isEqualTo(number(field(fields, "address")).longValue());
      assertThat(segment.bytes()).isEqualTo(number(field(fields, "total_size")).longValue());
      assertThat(segment.allocatedBytes())
          .isEqualTo(number(field(fields, "allocated_size")).longValue());
      assertThat(segment.allocatedBytes() + segment.pendingFreeBytes())
          .isEqualTo(number(field(fields, "active_size")).longValue());
      assertThat(segment.kind().name())
          .isEqualToIgnoringCase((String) field(fields, "segment_type"));
      assertThat(names(snapshot, segment.stack()))
          .isEqualTo(names(fields.getOrDefault("frames", List.of())));
      List<Object> blocks = list(field(fields, "blocks"));
      assertThat(segment.blocks()).hasSize(blocks.size());
      long address = segment.address();
      for (int j = 0; j < blocks.size(); j++) {
        compareBlock(snapshot, segment.blocks().get(j), dict(blocks.get(j)), address);
        address = segment.blocks().get(j).end();
      }
      assertThat(address).isEqualTo(segment.end());
    }
  }

  private static void compareBlock(
      Snapshot snapshot, Block block, Map<String, Object> fields, long address) {
    assertThat(block.address()).isEqualTo(address);
    assertThat(block.bytes()).isEqualTo(number(field(fields, "size")).longValue());
    String state = (String) field(fields, "state");
    assertThat(block.state())
        .isEqualTo(
            state.equals("inactive")
                ? BlockState.INACTIVE
                : state.equals("active_allocated")
                    ? BlockState.ALLOCATED
                    : BlockState.PENDING_FREE);
    boolean known = block.isActive() && fields.containsKey("requested_size");
    assertThat(block.requestedBytes())
        .isEqualTo(known ? number(field(fields, "requested_size")).longValue() : Block.UNKNOWN);
    Object frames = fields.get("frames");
    if (fields.containsKey("history")) {
      frames = dict(list(field(fields, "history")).getFirst()).get("frames");
    }
    assertThat(names(snapshot, block.stack()))
        .isEqualTo(names(frames == null ? List.of() : frames));
  }

  private static void compareTrace(Snapshot snapshot, Trace trace, List<Object> events) {
    assertThat(trace.size()).isEqualTo(events.size());
    for (int i = 0; i < events.size(); i++) {
      Map<String, Object> fields = dict(events.get(i));
      boolean oom = field(fields, "action").equals("oom");
      assertThat(trace.action(i).torchName()).isEqualTo(field(fields, "action"));
      assertThat(trace.address(i)).isEqualTo(oom ? 0 : number(field(fields, "addr")).longValue());
      assertThat(trace.bytes(i)).isEqualTo(number(field(fields, "size")).longValue());
      assertThat(trace.stream(i)).isEqualTo(number(field(fields, "stream")).longValue());
      assertThat(trace.timeMicros(i))
          .isEqualTo(
              fields.containsKey("time_us")
                  ? number(field(fields, "time_us")).longValue()
                  : Trace.NO_TIME);
      // Frames of every 16th stack: comparing all would take minutes.
      if (i % 16 == 0) {
        assertThat(names(snapshot, trace.stack(i)))
            .isEqualTo(names(fields.getOrDefault("frames", List.of())));
      }
    }
  }

  private static List<String> names(Snapshot snapshot, int stack) {
    List<String> names = new ArrayList<>();
    for (Frame frame : snapshot.stacks().framesOf(stack)) {
      names.add(frame.name() + " " + frame.file() + " " + frame.line());
    }
    return names;
  }

  private static List<String> names(Object frames) {
    List<String> names = new ArrayList<>();
    for (Object frame : list(frames)) {
      BigInteger line = number(field(dict(frame), "line"));
      names.add(
          field(dict(frame), "name")
              + " "
              + field(dict(frame), "filename")
              + " "
              + (line.bitLength() > 31 ? 0 : line));
    }
    return names;
  }

  private static BigInteger number(Object value) {
    return (BigInteger) value;
  }

  private static byte[] bytes(Path file) throws IOException {
    return Files.readAllBytes(file);
  }
}
