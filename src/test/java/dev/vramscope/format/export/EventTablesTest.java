package dev.vramscope.format.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.format.export.parquet.ParquetTable;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.VisibleText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON lines, CSV and Parquet of the same events. */
class EventTablesTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<String> TEXTS =
      List.of("plain", "=cmd()", "a,b", "say \"no\"", "two\r\nlines", "Läufe 日本 😀", "", "\u0001");

  private final StackTable.Builder stacks = new StackTable.Builder();

  private interface Writer {
    void write(Snapshot snapshot, OutputStream out) throws IOException;
  }

  @Test
  void jsonLineHasTheKnownValuesOnly() throws IOException {
    Trace.Builder trace = new Trace.Builder();
    int row = trace.add(TraceAction.ALLOC, 0x7f00_0000_0000L, 1000);
    trace.stack(row, stacks.stack(List.of(new Frame("f", "m.py", 7), new Frame("g", "??", 0))));
    trace.timeMicros(row, 12);
    trace.pool(row, new PoolId(0, 3));
    trace.stream(row, 7);
    int oom = trace.add(TraceAction.OOM, 0, 4096);
    trace.oom(oom, 4096, 99);

    assertThat(text(JsonLinesWriter::write, snapshot(trace)))
        .isEqualTo(
            """
            {"device":0,"event":0,"action":"alloc","address":"0x7f0000000000","bytes":1000,\
            "stream":7,"pool":"(0, 3)","time_us":12,"stack":2,"frames":["f m.py:7","g"]}
            {"device":0,"event":1,"action":"oom","bytes":4096,"stream":0,"device_free_bytes":99}
            """);
  }

  @Test
  void csvQuotesCellsAndDisarmsFormulas() throws IOException {
    Trace.Builder trace = new Trace.Builder();
    trace.userMetadata(trace.add(TraceAction.ALLOC, 16, 1), "=1+\"2\"");
    trace.userMetadata(trace.add(TraceAction.ALLOC, 16, 1), "@SUM(A1),x");
    trace.userMetadata(trace.add(TraceAction.ALLOC, 16, 1), "a\r\nb");

    assertThat(text(CsvWriter::write, snapshot(trace)))
        .isEqualTo(
            "device,event,action,address,bytes,stream,pool,time_us,stack,frames,device_free_bytes,"
                + "user_metadata,compile_context\r\n"
                + "0,0,alloc,0x10,1,0,,,,,,\"'=1+\"\"2\"\"\",\r\n"
                + "0,1,alloc,0x10,1,0,,,,,,\"'@SUM(A1),x\",\r\n"
                + "0,2,alloc,0x10,1,0,,,,,,\"a\nb\",\r\n");
  }

  @Test
  void parquetHasTheValuesOfTheJsonLines() throws IOException {
    for (int seed = 0; seed < 6; seed++) {
      // The last one has more than one row group.
      int events = seed < 5 ? seed * seed * 70 : 140_000;
      assertThat(parquetRows(random(seed, events)))
          .as("seed %s", seed)
          .isEqualTo(jsonRows(seed, events));
    }
  }

  @Test
  void csvHasTheValuesOfTheJsonLines() throws IOException {
    List<List<String>> records = CsvRecords.of(text(CsvWriter::write, random(3, 800)));
    List<Map<String, Object>> rows = jsonRows(3, 800);
    assertThat(records).hasSize(rows.size() + 1);
    for (int i = 0; i < rows.size(); i++) {
      List<String> expected = new ArrayList<>();
      for (String column : EventRow.COLUMNS) {
        Object value = rows.get(i).get(column);
        String cell = value == null ? "" : VisibleText.of(value.toString());
        expected.add(cell.startsWith("=") ? "'" + cell : cell);
      }
      assertThat(records.get(i + 1)).isEqualTo(expected);
    }
  }

  @Test
  void longStacksSayHowManyFramesAreLeftOut() throws IOException {
    List<Frame> frames = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      frames.add(new Frame("function" + i, "", 0));
    }
    Trace.Builder trace = new Trace.Builder();
    trace.stack(trace.add(TraceAction.ALLOC, 16, 1), stacks.stack(frames));

    JsonNode found = JSON.readTree(text(JsonLinesWriter::write, snapshot(trace))).path("frames");

    int written = found.size() - 1;
    assertThat(found.get(0).asString()).isEqualTo("function0");
    assertThat(found.get(written).asString()).isEqualTo("… " + (5_000 - written) + " more");
    assertThat(found.toString().length()).isLessThan(StackTexts.MAX_STACK_LENGTH * 2);
  }

  private Snapshot random(long seed, int events) {
    SplittableRandom random = new SplittableRandom(seed);
    Trace.Builder trace = new Trace.Builder();
    for (int i = 0; i < events; i++) {
      TraceAction action = TraceAction.values()[random.nextInt(TraceAction.values().length)];
      int row = trace.add(action, random.nextLong() << 9, random.nextLong());
      if (action == TraceAction.OOM) {
        trace.oom(row, random.nextLong(1 << 30), random.nextInt(3) - 1);
      }
      if (action == TraceAction.OTHER) {
        trace.otherAction(row, TEXTS.get(random.nextInt(TEXTS.size())));
      }
      if (random.nextBoolean()) {
        trace.timeMicros(row, random.nextLong());
        trace.stream(row, random.nextInt(3));
      }
      if (i / 40 % 2 == 0) {
        trace.pool(row, new PoolId(random.nextInt(2), random.nextInt(2)));
        Frame frame = new Frame(TEXTS.get(random.nextInt(TEXTS.size())), "a.py", random.nextInt(9));
        trace.stack(row, stacks.stack(List.of(frame, new Frame("main", "b.py", 1))));
      }
      if (random.nextInt(50) == 0) {
        trace.userMetadata(row, TEXTS.get(random.nextInt(TEXTS.size())));
        trace.compileContext(row, "Region " + random.nextInt(4));
      }
    }
    return snapshot(trace);
  }

  private Snapshot snapshot(Trace.Builder trace) {
    return new Snapshot(
        new Origin("", "", Trace.NO_TIME),
        Optional.empty(),
        List.of(
            new DeviceSnapshot(0, List.of(), trace.build(), List.of()),
            new DeviceSnapshot(3, List.of(), Trace.EMPTY, List.of())),
        stacks.build(),
        List.of());
  }

  /** Numbers as long, frames as one text. */
  private List<Map<String, Object>> jsonRows(long seed, int events) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    // Only the separator ends a line: texts have none.
    for (String line : text(JsonLinesWriter::write, random(seed, events)).split("\n", -1)) {
      if (line.isEmpty()) {
        continue;
      }
      Map<String, Object> row = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> each : JSON.readTree(line).properties()) {
        JsonNode value = each.getValue();
        row.put(
            each.getKey(),
            value.isArray()
                ? String.join(";", value.valueStream().map(JsonNode::asString).toList())
                : value.isNumber() ? (Object) value.asLong() : value.asString());
      }
      rows.add(row);
    }
    return rows;
  }

  private List<Map<String, Object>> parquetRows(Snapshot snapshot) throws IOException {
    List<Map<String, Object>> rows = ParquetTable.read(bytes(ParquetWriter::write, snapshot));
    rows.forEach(row -> row.values().removeAll(Collections.singleton(null)));
    return rows;
  }

  private static String text(Writer writer, Snapshot snapshot) throws IOException {
    return new String(bytes(writer, snapshot), UTF_8);
  }

  private static byte[] bytes(Writer writer, Snapshot snapshot) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.write(snapshot, out);
    return out.toByteArray();
  }
}
