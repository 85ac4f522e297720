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
import static dev.vramscope.format.torch.SampleSnapshots.with;
import static dev.vramscope.format.torch.SampleSnapshots.without;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Block;
import dev.vramscope.model.Finding;
import dev.vramscope.model.Finding.Severity;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
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
                "host_segments",
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
            "host-memory-skipped",
            "unknown-keys");
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
