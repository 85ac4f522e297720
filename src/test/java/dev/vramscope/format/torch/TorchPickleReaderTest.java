package dev.vramscope.format.torch;

import static dev.vramscope.format.torch.SampleSnapshots.BASE;
import static dev.vramscope.format.torch.SampleSnapshots.MIB;
import static dev.vramscope.format.torch.SampleSnapshots.device;
import static dev.vramscope.format.torch.SampleSnapshots.dict;
import static dev.vramscope.format.torch.SampleSnapshots.event;
import static dev.vramscope.format.torch.SampleSnapshots.finding;
import static dev.vramscope.format.torch.SampleSnapshots.frame;
import static dev.vramscope.format.torch.SampleSnapshots.read;
import static dev.vramscope.format.torch.SampleSnapshots.segment;
import static dev.vramscope.format.torch.SampleSnapshots.settings;
import static dev.vramscope.format.torch.SampleSnapshots.snapshot;
import static dev.vramscope.format.torch.SampleSnapshots.with;
import static dev.vramscope.format.torch.SampleSnapshots.without;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.format.pickle.PickleWriter;
import dev.vramscope.format.pickle.PickleWriter.Tuple;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.FxNode;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads hand-written snapshots of every known structure. */
class TorchPickleReaderTest {
  @Test
  void readsEveryField() throws Exception {
    Snapshot read = read(snapshot());
    assertThat(read.origin().format()).isEqualTo("PyTorch snapshot (pickle protocol 4)");
    assertThat(read.origin().captureMicros()).isEqualTo(1_001);
    assertThat(read.settings().orElseThrow().values())
        .containsEntry("max_split_size", "-1")
        .containsEntry("expandable_segments", "false")
        .containsEntry("garbage_collection_threshold", "0.0")
        .containsEntry("roundup_power2_divisions.2", "4");
    DeviceSnapshot device = device(read);
    Segment segment = device.segments().getFirst();
    assertThat(segment.address()).isEqualTo(BASE);
    assertThat(segment.bytes()).isEqualTo(2 * MIB);
    assertThat(segment.kind()).isEqualTo(PoolKind.SMALL);
    assertThat(read.stacks().framesOf(segment.stack()))
        .containsExactly(new Frame("main", "train.py", 1));
    assertThat(segment.blocks())
        .containsExactly(
            new Block(BASE, 512, 500, BlockState.ALLOCATED, 0),
            new Block(BASE + 512, 2 * MIB - 512, Block.UNKNOWN, BlockState.INACTIVE, 0));
    assertThat(device.trace().size()).isEqualTo(2);
    assertThat(device.trace().action(1)).isEqualTo(TraceAction.ALLOC);
    assertThat(device.trace().pool(1)).isEqualTo(PoolId.DEFAULT);
    assertThat(read.stacks().framesOf(device.trace().stack(1)))
        .containsExactly(new Frame("forward", "train.py", 7), new Frame("main", "train.py", 1));
    assertThat(device.trace().userMetadata().count()).isZero();
    assertThat(device.trace().compileContexts().count()).isZero();
    assertThat(device.annotations()).hasSize(2);
    assertThat(read.findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void contentsDoNotDependOnProtocolOrBatchSize(int protocol) throws Exception {
    List<String> expected = SnapshotContents.of(read(snapshot()));
    for (int batch : new int[] {1, 2, 3, 1000}) {
      byte[] pickle = PickleWriter.python(snapshot(), protocol, batch);
      assertThat(SnapshotContents.of(read(pickle))).isEqualTo(expected);
    }
  }

  @Test
  void contentsDoNotDependOnPickler() throws Exception {
    assertThat(SnapshotContents.of(read(PickleWriter.cpp(snapshot()))))
        .isEqualTo(SnapshotContents.of(read(snapshot())));
  }

  @Test
  void contentsDoNotDependOnKeyOrder() throws Exception {
    Map<String, @Nullable Object> forward = snapshot();
    Map<String, @Nullable Object> backward =
        dict(
            "external_annotations", forward.get("external_annotations"),
            "allocator_settings", forward.get("allocator_settings"),
            "device_traces", forward.get("device_traces"),
            "segments", forward.get("segments"));
    assertThat(withoutStackNumbers(read(backward))).isEqualTo(withoutStackNumbers(read(forward)));
  }

  private static List<String> withoutStackNumbers(Snapshot snapshot) {
    return SnapshotContents.of(snapshot).stream()
        .map(line -> line.replaceAll("stack=\\d+", ""))
        .toList();
  }

  @Test
  void readsBareListOfSegments() throws Exception {
    Snapshot read = read(List.of(segment(BASE + 16 * MIB), segment(BASE)));
    assertThat(device(read).segments())
        .extracting(Segment::address)
        .containsExactly(BASE, BASE + 16 * MIB);
    assertThat(read.settings()).isEmpty();
    assertThat(device(read).trace().isEmpty()).isTrue();
  }

  @Test
  void readsBlockHistoryWithoutAddressBeforeTorch21() throws Exception {
    Map<String, @Nullable Object> live =
        dict(
            "size",
            512L,
            "state",
            "active_allocated",
            "history",
            List.of(
                dict("addr", BASE, "real_size", 500, "frames", List.of(frame("newest", 3))),
                dict("addr", BASE, "real_size", 100, "frames", List.of(frame("oldest", 4)))));
    Map<String, @Nullable Object> old =
        dict(
            "device",
            0,
            "address",
            BASE,
            "total_size",
            2 * MIB,
            "allocated_size",
            512,
            "active_size",
            512,
            "stream",
            0,
            "segment_type",
            "small",
            "blocks",
            List.of(live, dict("size", 2 * MIB - 512, "state", "inactive")));
    Snapshot read = read(dict("segments", List.of(old), "device_traces", List.of(List.of())));
    List<Block> blocks = device(read).segments().getFirst().blocks();
    assertThat(blocks).extracting(Block::address).containsExactly(BASE, BASE + 512);
    assertThat(blocks.getFirst().requestedBytes()).isEqualTo(Block.UNKNOWN);
    assertThat(read.stacks().framesOf(blocks.getFirst().stack()))
        .containsExactly(new Frame("newest", "train.py", 3));
    assertThat(read.origin().producer()).isEqualTo("PyTorch 1.13 or 2.0");
    assertThat(read.findings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "internal_metadata, PyTorch after 2.13",
    "pool_id, PyTorch 2.12 or later",
    "user_metadata, PyTorch 2.10 or 2.11",
    "graph_capture_record_stream_reuse, PyTorch 2.9",
    "compile_context, PyTorch 2.8",
    "external_annotations, PyTorch 2.5 to 2.7",
    "allocator_settings, PyTorch 2.3 or 2.4",
    "time_us, PyTorch 2.2",
    "is_expandable, PyTorch 2.1",
  })
  void newestKeyDeterminesProducer(String newest, String producer) throws Exception {
    List<String> newestFirst =
        List.of(
            "internal_metadata",
            "pool_id",
            "user_metadata",
            "graph_capture_record_stream_reuse",
            "compile_context",
            "external_annotations",
            "allocator_settings",
            "time_us");
    List<String> absent = newestFirst.subList(0, Math.max(newestFirst.indexOf(newest), 0));
    if (newest.equals("is_expandable")) {
      absent = newestFirst;
    }
    Map<String, @Nullable Object> event =
        with(event("alloc", BASE, 500, 1_001), "internal_metadata", "x");
    Map<String, @Nullable Object> settings =
        with(settings(), "graph_capture_record_stream_reuse", false);
    for (String key : absent) {
      event = without(event, key);
      settings = without(settings, key);
    }
    Map<String, @Nullable Object> file =
        with(
            with(snapshot(), "device_traces", List.of(List.of(event))),
            "allocator_settings",
            settings);
    for (String key : absent) {
      file = without(file, key);
    }
    assertThat(read(file).origin().producer()).isEqualTo(producer);
  }

  @Test
  void oomHasDeviceFreeBytes() throws Exception {
    Map<String, @Nullable Object> oom =
        with(without(event("oom", 0, 1L << 30, 1_002), "addr"), "device_free", 77L);
    Trace trace = device(read(withEvents(event("alloc", BASE, 500, 1_001), oom))).trace();
    assertThat(trace.ooms()).containsExactly(new OomEvent(1, 1L << 30, 77));
    assertThat(trace.address(1)).isZero();
  }

  @Test
  void readsSparseEventFields() throws Exception {
    Map<String, @Nullable Object> event =
        with(
            with(
                with(event("segment_teleport", BASE, 500, 1_001), "user_metadata", "layer 3"),
                "compile_context",
                "Torch-Compiled Region: 0/0"),
            "pool_id",
            Tuple.of(0, 3));
    Trace trace = device(read(withEvents(event, with(event, "stream", 7)))).trace();
    assertThat(trace.action(0)).isEqualTo(TraceAction.OTHER);
    assertThat(trace.otherActions().of(0)).isEqualTo("segment_teleport");
    assertThat(trace.userMetadata().of(0)).isEqualTo("layer 3");
    assertThat(trace.compileContexts().of(1)).isEqualTo("Torch-Compiled Region: 0/0");
    assertThat(trace.pool(0)).isEqualTo(new PoolId(0, 3));
    assertThat(trace.stream(1)).isEqualTo(7);
  }

  @Test
  void readsEventWithoutStackTimeAndPool() throws Exception {
    Map<String, @Nullable Object> bare =
        dict("action", "alloc", "addr", BASE, "size", 500L, "stream", 0);
    Trace trace = device(read(withEvents(bare))).trace();
    assertThat(trace.stack(0)).isZero();
    assertThat(trace.timeMicros(0)).isEqualTo(Trace.NO_TIME);
    assertThat(trace.pool(0)).isNull();
  }

  @Test
  void traceIndexIsDeviceOrdinal() throws Exception {
    // Python writes a shared empty list once and references it afterwards.
    List<Object> none = new ArrayList<>();
    Snapshot read =
        read(
            with(
                snapshot(),
                "device_traces",
                List.of(
                    none,
                    none,
                    List.of(event("alloc", BASE, 1, 1)),
                    none,
                    List.of(event("alloc", BASE, 2, 2), event("alloc", BASE, 3, 3)))));
    assertThat(read.devices()).extracting(DeviceSnapshot::ordinal).containsExactly(0, 2, 4);
    assertThat(read.device(4).orElseThrow().trace().size()).isEqualTo(2);
    assertThat(read.device(0).orElseThrow().trace().isEmpty()).isTrue();
  }

  @Test
  void poolIdMayBeSharedList() throws Exception {
    List<Object> pool = List.of(0, 2);
    Snapshot read =
        read(
            List.of(
                with(segment(BASE), "segment_pool_id", pool),
                with(segment(BASE + 4 * MIB), "segment_pool_id", List.of(1L << 40, 0)),
                with(segment(BASE + 8 * MIB), "segment_pool_id", pool)));
    assertThat(device(read).segments())
        .extracting(Segment::pool)
        .containsExactly(new PoolId(0, 2), new PoolId(1L << 40, 0), new PoolId(0, 2));
  }

  @Test
  void sharedEmptyListIsEmptyInEveryRole() throws Exception {
    List<Object> empty = new ArrayList<>();
    Map<String, @Nullable Object> event = with(event("alloc", BASE, 1, 1), "frames", empty);
    Snapshot read =
        read(
            dict(
                "external_annotations",
                empty,
                "device_traces",
                List.of(List.of(event), empty),
                "segments",
                List.of(with(with(segment(BASE), "frames", empty), "blocks", empty))));
    assertThat(device(read).segments().getFirst().blocks())
        .containsExactly(new Block(BASE, 2 * MIB, Block.UNKNOWN, BlockState.INACTIVE, 0));
    assertThat(device(read).trace().stack(0)).isZero();
  }

  @Test
  void stacksAndFramesMayBeShared() throws Exception {
    Map<String, @Nullable Object> frame = frame("shared", 1);
    List<Object> stack = List.of(frame, frame("main", 2), frame);
    Snapshot read =
        read(
            withEvents(
                with(event("alloc", BASE, 1, 1), "frames", stack),
                with(event("alloc", BASE, 2, 2), "frames", stack),
                with(event("alloc", BASE, 3, 3), "frames", new ArrayList<>(stack))));
    Trace trace = device(read).trace();
    assertThat(trace.stack(0)).isEqualTo(trace.stack(1)).isEqualTo(trace.stack(2)).isPositive();
    assertThat(read.stacks().depth(trace.stack(0))).isEqualTo(3);
  }

  @Test
  void stackInSeveralBatchesKeepsItsInnermostFrames() throws Exception {
    List<Object> frames = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      frames.add(frame("f" + i, i));
    }
    Snapshot read = read(withEvents(with(event("alloc", BASE, 1, 1), "frames", frames)));
    List<Frame> found = read.stacks().framesOf(device(read).trace().stack(0));
    assertThat(found).hasSize(1_001);
    assertThat(found.get(999)).isEqualTo(new Frame("f999", "train.py", 999));
    assertThat(found.getLast().name()).isEqualTo("(outer frames omitted)");
  }

  @Test
  void invalidLineNumberIsZero() throws Exception {
    BigInteger noLine = new BigInteger("18446744073709551615");
    Snapshot read =
        read(
            withEvents(
                with(
                    event("alloc", BASE, 1, 1),
                    "frames",
                    List.of(
                        dict("name", "f", "filename", "??", "line", noLine),
                        dict("name", "g", "filename", "??", "line", -1)))));
    assertThat(read.stacks().frames()).extracting(Frame::line).containsOnly(0, 1);
  }

  @Test
  void framesHaveFxNode() throws Exception {
    Map<String, @Nullable Object> traced =
        with(
            with(
                with(with(frame("f", 1), "fx_node_op", "call"), "fx_node_name", "mm"),
                "fx_node_target",
                "aten.mm"),
            "fx_original_trace",
            "line 1\nline 2");
    Snapshot read =
        read(
            withEvents(with(event("alloc", BASE, 1, 1), "frames", List.of(traced, frame("f", 1)))));
    assertThat(read.stacks().framesOf(device(read).trace().stack(0)))
        .containsExactly(
            new Frame("f", "train.py", 1, new FxNode("call", "mm", "aten.mm", "line 1\nline 2")),
            new Frame("f", "train.py", 1));
  }

  @Test
  void addressesAreUnsigned() throws Exception {
    BigInteger high = BigInteger.TWO.pow(63).add(BigInteger.valueOf(4096));
    Map<String, @Nullable Object> segment =
        with(
            with(segment(BASE), "address", high),
            "blocks",
            List.of(dict("size", 2 * MIB, "state", "inactive")));
    Snapshot read = read(List.of(segment, segment(BASE)));
    assertThat(device(read).segments())
        .extracting(Segment::address)
        .containsExactly(BASE, high.longValue());
  }

  @Test
  void skippedContainersMayShareStacks() throws Exception {
    List<Object> stack = List.of(frame("shared", 1));
    Snapshot read =
        read(
            dict(
                "more_traces", List.of(List.of(dict("frames", stack, "deep", List.of(List.of(1))))),
                "device_traces",
                    List.of(List.of(with(event("alloc", BASE, 1, 1), "frames", stack))),
                "segments", List.of()));
    assertThat(read.stacks().framesOf(device(read).trace().stack(0)))
        .containsExactly(new Frame("shared", "train.py", 1));
  }

  @Test
  void annotationsOfUnknownDeviceBelongToFirstDevice() throws Exception {
    Snapshot read =
        read(
            with(
                snapshot(),
                "external_annotations",
                List.of(
                    dict("name", "late", "stage", "END", "device", 5, "time_us", 9),
                    dict("name", "early", "stage", "START", "device", 0, "time_us", 3),
                    dict("name", "odd", "stage", "MIDDLE", "device", 0, "time_us", 4))));
    assertThat(device(read).annotations())
        .extracting(annotation -> annotation.name() + " " + annotation.timeMicros())
        .containsExactly("early 3", "late 9");
    assertThat(finding(read, "annotations-unreadable").count()).isEqualTo(1);
  }

  @Test
  void producerNamesDeviceExtension() throws Exception {
    Map<String, @Nullable Object> musa =
        with(without(settings(), "PYTORCH_CUDA_ALLOC_CONF"), "PYTORCH_MUSA_ALLOC_CONF", "");
    assertThat(read(with(snapshot(), "allocator_settings", musa)).origin().producer())
        .endsWith(" for MUSA");
  }

  private static Map<String, @Nullable Object> withEvents(Object... events) {
    return with(snapshot(), "device_traces", List.of(List.of(events)));
  }
}
