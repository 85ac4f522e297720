package dev.vramscope.format.torch;

import static dev.vramscope.format.torch.SampleSnapshots.BASE;
import static dev.vramscope.format.torch.SampleSnapshots.MIB;
import static dev.vramscope.format.torch.SampleSnapshots.block;
import static dev.vramscope.format.torch.SampleSnapshots.device;
import static dev.vramscope.format.torch.SampleSnapshots.dict;
import static dev.vramscope.format.torch.SampleSnapshots.event;
import static dev.vramscope.format.torch.SampleSnapshots.finding;
import static dev.vramscope.format.torch.SampleSnapshots.read;
import static dev.vramscope.format.torch.SampleSnapshots.segment;
import static dev.vramscope.format.torch.SampleSnapshots.snapshot;
import static dev.vramscope.format.torch.SampleSnapshots.with;
import static dev.vramscope.format.torch.SampleSnapshots.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.format.FormatException;
import dev.vramscope.model.Block;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.Finding.Severity;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Inconsistent snapshots that can be read: corrections and findings. */
class SnapshotFindingsTest {
  @Test
  void fillsGapsBetweenBlocks() throws Exception {
    Map<String, @Nullable Object> gap =
        with(
            segment(BASE),
            "blocks",
            List.of(
                block(BASE + 512, 512, "active_allocated"), block(BASE + 4096, 512, "inactive")));
    Snapshot read = read(List.of(gap));
    Segment segment = device(read).segments().getFirst();
    assertTiles(segment);
    assertThat(segment.bytes()).isEqualTo(2 * MIB);
    assertThat(finding(read, "blocks-missing").count()).isEqualTo(3);
  }

  @Test
  void extendsSegmentToContainItsBlocks() throws Exception {
    Map<String, @Nullable Object> overlap =
        with(
            segment(BASE),
            "blocks",
            List.of(
                block(BASE, 2 * MIB, "active_allocated"),
                block(BASE + MIB, MIB, "active_allocated")));
    Snapshot read = read(List.of(overlap));
    Segment segment = device(read).segments().getFirst();
    assertTiles(segment);
    assertThat(segment.bytes()).isEqualTo(3 * MIB);
    assertThat(finding(read, "blocks-overlap").severity()).isEqualTo(Severity.ERROR);
    assertThat(finding(read, "blocks-beyond-segment").count()).isEqualTo(1);
    assertThat(finding(read, "recorded-sums-differ").count()).isEqualTo(1);
  }

  @Test
  void countsInconsistencies() throws Exception {
    Map<String, @Nullable Object> oversized =
        with(block(BASE, 512, "active_allocated"), "requested_size", 513);
    Map<String, @Nullable Object> first =
        with(
            segment(BASE),
            "blocks",
            List.of(
                oversized,
                block(BASE + 512, 0, "inactive"),
                block(BASE + 512, 2 * MIB - 512, "inactive")));
    Snapshot read =
        read(
            dict(
                "segments",
                List.of(
                    first,
                    segment(BASE + MIB),
                    with(with(segment(BASE), "total_size", 0), "blocks", List.of())),
                "device_traces",
                List.of(
                    List.of(
                        event("alloc", BASE, 1, 5), without(event("alloc", BASE, 1, 4), "addr"))),
                "surprises",
                List.of(dict("x", List.of(dict("y", 1)))),
                "surprise",
                1));
    assertThat(read.findings())
        .extracting(Finding::code)
        .containsExactlyInAnyOrder(
            "empty-blocks",
            "requested-exceeds-block",
            "recorded-sums-differ",
            "empty-segments",
            "segments-overlap",
            "time-backwards",
            "events-incomplete",
            "unknown-keys");
  }

  @Test
  void limitsRequestedSizeToTheBlock() throws Exception {
    Map<String, @Nullable Object> small =
        with(block(BASE, 512, "active_allocated"), "requested_size", 20 * MIB);
    Snapshot read = read(List.of(with(segment(BASE), "blocks", List.of(small))));
    assertThat(device(read).segments().getFirst().blocks().getFirst().requestedBytes())
        .isEqualTo(512);
    assertThat(finding(read, "requested-exceeds-block").severity()).isEqualTo(Severity.ERROR);
  }

  @Test
  void lastOfDuplicateKeysWinsAsInPython() throws Exception {
    String json =
        """
        {"segments": [{"address": 4096, "total_size": 7, "total_size": 2097152, "blocks":
           [{"address": 4096, "size": 4096, "size": 2097152, "requested_size": 3,
             "requested_size": 2097000, "state": "inactive", "state": "active_allocated"}]}],
         "device_traces": [[{"action": "oom", "action": "alloc", "addr": 1, "addr": 4096,
           "size": 1, "size": 2097000, "frames": [{"name": "a"}], "frames": [{"name": "b"}]}]]}
        """;
    Object python =
        dict(
            "segments",
            List.of(
                dict(
                    "address",
                    4096,
                    "total_size",
                    2 * MIB,
                    "blocks",
                    List.of(
                        dict(
                            "address",
                            4096,
                            "size",
                            2 * MIB,
                            "requested_size",
                            2097000,
                            "state",
                            "active_allocated")))),
            "device_traces",
            List.of(
                List.of(
                    dict(
                        "action",
                        "alloc",
                        "addr",
                        4096,
                        "size",
                        2097000,
                        "frames",
                        List.of(dict("name", "b"))))));
    Snapshot read =
        TorchJsonReader.read(
            new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)),
            SampleSnapshots.LIMITS);
    assertThat(read.findings()).isEmpty();
    assertThat(read.devices()).hasSize(1);
    Segment segment = device(read).segments().getFirst();
    assertThat(segment).isEqualTo(device(read(python)).segments().getFirst());
    assertThat(device(read).trace().event(0)).extracting("bytes").isEqualTo(2097000L);
    assertThat(read.stacks().framesOf(device(read).trace().stack(0)))
        .extracting(Frame::name)
        .containsExactly("b");
  }

  @Test
  void rejectsListsWithDuplicateKeys() {
    String block = "\"blocks\": [{\"size\": 7, \"state\": \"inactive\"}]";
    for (String json :
        List.of(
            "{'segments': [{'address': 1, 'total_size': 1}], 'segments': [{'address': 1,"
                + " 'total_size': 1}]}",
            "{'device_traces': [[{'action': 'alloc'}]], 'device_traces': [[{'action': 'oom'}]]}",
            "{'segments': [{'address': 1, " + block + ", " + block + "}]}")) {
      byte[] file = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(
              () -> TorchJsonReader.read(new ByteArrayInputStream(file), SampleSnapshots.LIMITS))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("occurs twice");
    }
  }

  @Test
  void rejectsSizesThatOverflowSums() {
    for (Object events :
        List.of(
            List.of(event("alloc", BASE, Long.MAX_VALUE, 1)),
            List.of(event("oom", BASE, Long.MAX_VALUE, 1)),
            Collections.nCopies(5_000, 1L << 50).stream()
                .map(bytes -> event("segment_alloc", BASE, bytes, 1))
                .toList())) {
      FormatException rejected =
          SampleSnapshots.rejection(with(snapshot(), "device_traces", List.of(events)));
      assertThat(rejected.reason()).isEqualTo(FormatException.Reason.MALFORMED);
      assertThat(rejected.where()).startsWith("device_traces");
    }
  }

  @Test
  void impossibleTimesAreUnknown() throws Exception {
    Snapshot read =
        read(
            with(
                snapshot(),
                "device_traces",
                List.of(
                    List.of(
                        event("alloc", BASE, 1, -5),
                        event("alloc", BASE + 512, 1, Long.MAX_VALUE),
                        event("alloc", BASE + 1024, 1, 5)))));
    assertThat(finding(read, "time-invalid").count()).isEqualTo(2);
    assertThat(device(read).trace().timeMicros(0)).isEqualTo(Trace.NO_TIME);
    assertThat(device(read).trace().timeMicros(2)).isEqualTo(5);
  }

  private static void assertTiles(Segment segment) {
    long address = segment.address();
    for (Block block : segment.blocks()) {
      assertThat(block.address()).isEqualTo(address);
      address = block.end();
    }
    assertThat(address).isEqualTo(segment.end());
  }
}
