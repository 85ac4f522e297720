package dev.vramscope.format.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Annotation;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.FxNode;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TorchPickleWriterTest {
  private static final long MIB = 1 << 20;
  private static final long TIME = 1_771_267_191_145_495L;

  @TempDir private Path folder;

  private final StackTable.Builder stacks = new StackTable.Builder();
  private final int forward =
      stacks.stack(List.of(new Frame("forward", "model.py", 7), new Frame("main", "train.py", 31)));
  private final int step =
      stacks.stack(List.of(new Frame("step", "train.py", 12), new Frame("main", "train.py", 31)));

  @Test
  void writesEventKeysInOrderOfPyTorch212() throws IOException {
    Trace.Builder trace = new Trace.Builder();
    int row = trace.add(TraceAction.ALLOC, 0x7f00_0000_0000L, 1000);
    trace.stack(row, forward);
    trace.timeMicros(row, TIME);
    trace.pool(row, new PoolId(0, 3));
    trace.stream(row, 7);
    trace.userMetadata(row, "layer 3");
    trace.compileContext(row, "Torch-Compiled Region: 0/0");

    Map<String, String> found = describe(deviceWith(trace.build(), List.of()));

    assertThat(found)
        .containsEntry(
            "event 0",
            "{'action': 'alloc', 'addr': 139637976727552, 'size': 1000, 'stream': 7, 'time_us': "
                + TIME
                + ", 'compile_context': 'Torch-Compiled Region: 0/0', 'user_metadata': 'layer 3',"
                + " 'pool_id': (0, 3)} ['forward', 'main']");
    assertThat(found)
        .containsEntry("frame 0", "{'name': 'forward', 'filename': 'model.py', 'line': 7}");
  }

  @Test
  void omitsMissingEventFields() throws IOException {
    Trace.Builder trace = new Trace.Builder();
    trace.add(TraceAction.FREE_COMPLETED, -4096, 512);
    int other = trace.add(TraceAction.OTHER, 1, 2);
    trace.otherAction(other, "teleport");

    assertThat(describe(deviceWith(trace.build(), List.of())))
        .containsEntry(
            "event 0",
            "{'action': 'free_completed', 'addr': 18446744073709547520, 'size': 512, 'stream': 0,"
                + " 'compile_context': 'N/A', 'user_metadata': ''} []")
        .containsEntry(
            "event 1",
            "{'action': 'teleport', 'addr': 1, 'size': 2, 'stream': 0, 'compile_context': 'N/A',"
                + " 'user_metadata': ''} []");
  }

  @Test
  void oomEventHasDeviceFreeInsteadOfAddress() throws IOException {
    Trace.Builder trace = new Trace.Builder();
    int row = trace.add(TraceAction.OOM, 0, 3 * MIB);
    trace.oom(row, 3 * MIB, 5_000_000_000L);

    assertThat(describe(deviceWith(trace.build(), List.of())))
        .containsEntry(
            "event 0",
            "{'action': 'oom', 'device_free': 5000000000, 'size': 3145728, 'stream': 0,"
                + " 'compile_context': 'N/A', 'user_metadata': ''} []");
  }

  @Test
  void sharesStacksAndFrames() throws IOException {
    int events = 2500;
    Trace.Builder trace = new Trace.Builder();
    for (int i = 0; i < events; i++) {
      int row = trace.add(TraceAction.ALLOC, 512L * i, 512);
      trace.stack(row, i % 2 == 0 ? forward : step);
    }
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 2500; i++) {
      blocks.add(new Block(512L * i, 512, 500, BlockState.ALLOCATED, i < 1250 ? forward : 0));
    }
    Segment segment =
        new Segment(
            0, 2500 * 512L, 0, PoolKind.SMALL, PoolId.DEFAULT, false, StackTable.NONE, blocks);

    assertThat(describe(deviceWith(trace.build(), List.of(segment))))
        .containsEntry("traces", "2500")
        .containsEntry("blocks", "2500")
        .containsEntry("block bytes", "1280000")
        .containsEntry("requested", "1250000")
        // Two stacks, and the shared empty list.
        .containsEntry("distinct stack lists", "3")
        .containsEntry("distinct frame dicts", "3")
        .containsEntry("frame references", Integer.toString(2 * (events + 1250)));
  }

  @Test
  void traceIndexIsDeviceOrdinal() throws IOException {
    Trace.Builder trace = new Trace.Builder();
    trace.add(TraceAction.SNAPSHOT, 0, 0);
    Trace built = trace.build();
    List<Segment> segments = List.of(segment(PoolId.DEFAULT, BlockState.ALLOCATED, 700));

    assertThat(
            describe(
                snapshot(
                    List.of(
                        new DeviceSnapshot(0, segments, built, List.of()),
                        new DeviceSnapshot(3, segments, built, List.of())),
                    Optional.empty())))
        .containsEntry("traces", "1 0 0 1")
        .containsEntry("top", "device_traces segments external_annotations vramscope");
  }

  @Test
  void writesSegmentTotalsOfPyTorch() throws IOException {
    List<Segment> segments =
        List.of(
            segment(PoolId.DEFAULT, BlockState.ALLOCATED, 700),
            segment(new PoolId(0, 1), BlockState.PENDING_FREE, 900),
            segment(new PoolId(2, 0), BlockState.INACTIVE, Block.UNKNOWN));

    assertThat(describe(deviceWith(Trace.EMPTY, segments)))
        .containsEntry("reserved", Long.toString(3 * 2 * MIB))
        .containsEntry("allocated", Long.toString(2 * MIB))
        .containsEntry("active", Long.toString(2 * 2 * MIB))
        .containsEntry("requested", "1600")
        .containsEntry("states", "active_allocated active_pending_free inactive")
        .containsEntry("pools", "(0, 0) (0, 1) (2, 0)")
        .containsEntry(
            "segment keys",
            "device address total_size allocated_size active_size requested_size stream"
                + " segment_type segment_pool_id is_expandable frames blocks")
        .containsEntry("block keys", "address size requested_size state frames");
  }

  @Test
  void writesSettingsWithTypesOfPyTorch() throws IOException {
    AllocatorSettings settings =
        new AllocatorSettings(
            Map.of(
                "PYTORCH_CUDA_ALLOC_CONF", "8",
                "max_split_size", "-1",
                "garbage_collection_threshold", "0.8",
                "expandable_segments", "true",
                "release_lock_on_cudamalloc", "False",
                "roundup_power2_divisions.1", "0",
                "roundup_power2_divisions.32768", "4",
                "roundup_power2_divisions.256", "8",
                "unlimited", "18446744073709551615",
                "some_text", "0x10"));

    assertThat(
            describe(
                snapshot(
                    List.of(new DeviceSnapshot(0, List.of(), Trace.EMPTY, List.of())),
                    Optional.of(settings))))
        .containsEntry("setting PYTORCH_CUDA_ALLOC_CONF", "str 8")
        .containsEntry("setting max_split_size", "int -1")
        .containsEntry("setting garbage_collection_threshold", "float 0.8")
        .containsEntry("setting expandable_segments", "bool True")
        .containsEntry("setting release_lock_on_cudamalloc", "bool False")
        .containsEntry("setting some_text", "str 0x10")
        .containsEntry("setting unlimited", "int 18446744073709551615")
        .containsEntry("setting roundup_power2_divisions", "dict {'1': 0, '256': 8, '32768': 4}");
  }

  @Test
  void sortsAnnotationsOfAllDevicesByTime() throws IOException {
    Annotation start = new Annotation("step", Annotation.Stage.START, TIME);
    Annotation end = new Annotation("step", Annotation.Stage.END, TIME + 2);
    Annotation between = new Annotation("süd", Annotation.Stage.START, TIME + 1);

    assertThat(
            describe(
                snapshot(
                    List.of(
                        new DeviceSnapshot(0, List.of(), Trace.EMPTY, List.of(start, end)),
                        new DeviceSnapshot(1, List.of(), Trace.EMPTY, List.of(between))),
                    Optional.empty())))
        .containsEntry(
            "annotation 1",
            "{'name': 'süd', 'stage': 'START', 'device': 1, 'time_us': " + (TIME + 1) + "}")
        .containsKey("annotation 2");
  }

  @Test
  void writesStringsOfAnyLength() throws IOException {
    StackTable.Builder longStacks = new StackTable.Builder();
    List<Frame> frames = new ArrayList<>();
    for (int length : new int[] {255, 256, 32_767, 32_768, 65_530, 200_000}) {
      frames.add(new Frame("n".repeat(length), "é".repeat(200), 1));
    }
    frames.add(new Frame("fx", "f", 2, new FxNode("call", "conv", "target", "line 1\nline 2")));
    Trace.Builder trace = new Trace.Builder();
    for (int i = 0; i < 3000; i++) {
      int row = trace.add(TraceAction.ALLOC, i, 1);
      trace.stack(row, longStacks.stack(frames.subList(0, 1 + i % frames.size())));
    }

    assertThat(
            describe(
                new Snapshot(
                    new Origin("", "", Trace.NO_TIME),
                    Optional.empty(),
                    List.of(new DeviceSnapshot(0, List.of(), trace.build(), List.of())),
                    longStacks.build(),
                    List.of())))
        .containsEntry("longest name", "200000")
        .containsEntry("distinct frame dicts", "7")
        .containsEntry("distinct stack lists", "7");
  }

  @Test
  void usesOnlyOpcodesOfRealSnapshots() throws IOException {
    Trace.Builder trace = new Trace.Builder();
    for (long number = 1; number != 0; number <<= 1) {
      trace.add(TraceAction.ALLOC, number, Math.abs(number));
    }

    String[] opcodes =
        describe(deviceWith(trace.build(), List.of())).getOrDefault("opcodes", "").split(" ");

    assertThat(
            List.of(
                ("PROTO FRAME STOP MARK EMPTY_DICT EMPTY_LIST SETITEMS APPEND APPENDS TUPLE2"
                        + " MEMOIZE BINGET LONG_BINGET SHORT_BINUNICODE BINUNICODE BININT BININT1"
                        + " BININT2 LONG1 BINFLOAT NEWTRUE NEWFALSE")
                    .split(" ")))
        .contains(opcodes);
  }

  private Segment segment(PoolId pool, BlockState state, long requestedBytes) {
    return new Segment(
        0x7f00_0000_0000L,
        2 * MIB,
        0,
        PoolKind.LARGE,
        pool,
        true,
        forward,
        List.of(new Block(0x7f00_0000_0000L, 2 * MIB, requestedBytes, state, step)));
  }

  private Snapshot deviceWith(Trace trace, List<Segment> segments) {
    return snapshot(List.of(new DeviceSnapshot(0, segments, trace, List.of())), Optional.empty());
  }

  private Snapshot snapshot(List<DeviceSnapshot> devices, Optional<AllocatorSettings> settings) {
    return new Snapshot(
        new Origin("test", "test", Trace.NO_TIME), settings, devices, stacks.build(), List.of());
  }

  private Map<String, String> describe(Snapshot snapshot) throws IOException {
    Path file = folder.resolve("snapshot.pickle");
    try (var out = Files.newOutputStream(file)) {
      TorchPickleWriter.write(snapshot, out);
    }
    return Python.describe(file, 2);
  }
}
