package dev.vramscope.format.torch;

import static dev.vramscope.format.torch.SampleSnapshots.BASE;
import static dev.vramscope.format.torch.SampleSnapshots.MIB;
import static dev.vramscope.format.torch.SampleSnapshots.dict;
import static dev.vramscope.format.torch.SampleSnapshots.event;
import static dev.vramscope.format.torch.SampleSnapshots.read;
import static dev.vramscope.format.torch.SampleSnapshots.rejection;
import static dev.vramscope.format.torch.SampleSnapshots.segment;
import static dev.vramscope.format.torch.SampleSnapshots.snapshot;
import static dev.vramscope.format.torch.SampleSnapshots.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pinned host memory in {@code host_segments} and {@code host_traces}. */
class PinnedHostTest {
  private static Map<String, @Nullable Object> hostSegment(long address) {
    return with(segment(address), "device", -1);
  }

  /** A file of PyTorch 2.14.1; pinned_host.py has written it. */
  @Test
  void recordedMemoryIsThatOfTheProgram() throws Exception {
    Snapshot read = ofPyTorch();
    assertThat(read.findings()).isEmpty();
    assertThat(read.devices()).hasSize(1);
    assertThat(read.devices().getFirst().trace().size()).isEqualTo(2);
    DeviceSnapshot host = read.pinnedHost().orElseThrow();
    Trace trace = host.trace();
    assertThat(trace.size()).isEqualTo(8);
    Map<Long, Long> live = new HashMap<>();
    Map<Long, Long> requested = new HashMap<>();
    for (int event = 0; event < trace.size(); event++) {
      if (trace.action(event) == TraceAction.ALLOC) {
        live.put(trace.address(event), trace.bytes(event));
      } else if (trace.action(event) == TraceAction.FREE_COMPLETED) {
        live.remove(trace.address(event));
        requested.remove(trace.address(event));
      } else if (trace.action(event) == TraceAction.FREE_REQUESTED) {
        requested.put(trace.address(event), trace.bytes(event));
      }
    }
    Map<Long, Long> active = new HashMap<>();
    for (Segment segment : host.segments()) {
      assertThat(segment.blocks()).hasSize(1);
      Block block = segment.blocks().getFirst();
      active.put(block.address(), block.bytes());
      assertThat(block.requestedBytes())
          .as("the rounded size is recorded")
          .isEqualTo(Block.UNKNOWN);
      assertThat(block.state() == BlockState.PENDING_FREE)
          .isEqualTo(requested.containsKey(block.address()));
    }
    assertThat(active).isEqualTo(live).containsValues(8192L, 4L << 20);
    assertThat(read.stacks().framesOf(trace.stack(1)))
        .anyMatch(frame -> frame.file().endsWith("/pinned_host.py") && frame.line() == 8);
  }

  private static Snapshot ofPyTorch() throws IOException, dev.vramscope.format.FormatException {
    byte[] file = Files.readAllBytes(TestData.file("snapshots/pinned_host.pickle"));
    return TorchPickleReader.read(new ByteArrayInputStream(file), SampleSnapshots.LIMITS);
  }

  @Test
  void totalsOfDevicesDoNotIncludeIt() throws Exception {
    Snapshot without = read(snapshot());
    Snapshot read =
        read(
            with(
                with(snapshot(), "host_segments", List.of(hostSegment(BASE))),
                "host_traces",
                List.of(event("alloc", BASE, MIB, 1), event("free_requested", BASE, MIB, 2))));
    assertThat(read.devices()).hasSameSizeAs(without.devices());
    assertThat(read.devices().getFirst().segments())
        .isEqualTo(without.devices().getFirst().segments());
    assertThat(read.pinnedHost().orElseThrow().segments()).hasSize(1);
    assertThat(read.pinnedHost().orElseThrow().trace().size()).isEqualTo(2);
    assertThat(read.parts()).endsWith(read.pinnedHost().orElseThrow());
  }

  @Test
  void emptyListsAreNoMemory() throws Exception {
    Snapshot read = read(with(with(snapshot(), "host_segments", List.of()), "host_traces", null));
    assertThat(read.pinnedHost()).isEmpty();
    assertThat(read.findings()).isEmpty();
  }

  @Test
  void orderOfTheKeysDoesNotMatter() throws Exception {
    Snapshot read =
        read(
            dict(
                "host_traces",
                List.of(event("alloc", BASE, MIB, 1)),
                "host_segments",
                List.of(hostSegment(BASE), hostSegment(BASE + 8 * MIB)),
                "segments",
                List.of(segment(BASE)),
                "device_traces",
                List.of(List.of(event("alloc", BASE, MIB, 1), event("alloc", BASE, MIB, 2)))));
    assertThat(read.pinnedHost().orElseThrow().segments()).hasSize(2);
    assertThat(read.pinnedHost().orElseThrow().trace().size()).isEqualTo(1);
    assertThat(read.devices().getFirst().segments()).hasSize(1);
    assertThat(read.devices().getFirst().trace().size()).isEqualTo(2);
  }

  @Test
  void deviceOfTheHostIsNoGpu() {
    assertThat(rejection(with(snapshot(), "segments", List.of(hostSegment(BASE)))))
        .hasMessageContaining("segments[0]")
        .hasMessageContaining("device");
  }

  @Test
  void gpuIsNoDeviceOfTheHost() {
    assertThat(rejection(with(snapshot(), "host_segments", List.of(segment(BASE)))))
        .hasMessageContaining("host_segments[0]")
        .hasMessageContaining("-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"host_segments", "host_traces"})
  void wrongShapesAreRejectedWithTheirPlace(String key) {
    for (Object wrong : List.of(List.of(List.of()), List.of(1), 7, dict("x", 1), "text")) {
      assertThat(rejection(with(snapshot(), key, wrong)))
          .as(key + " " + wrong)
          .hasMessageContaining(key);
    }
    assertThat(rejection(with(snapshot(), "host_traces", List.of(event("alloc", BASE, -1, 1)))))
        .hasMessageContaining("host_traces[0]");
    assertThat(
            rejection(
                with(
                    snapshot(),
                    "host_segments",
                    List.of(with(hostSegment(BASE), "total_size", -1)))))
        .hasMessageContaining("host_segments[0]");
  }
}
