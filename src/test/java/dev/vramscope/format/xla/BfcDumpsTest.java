package dev.vramscope.format.xla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dumps of the BFC allocator: in a log, and as a protocol buffer. */
class BfcDumpsTest {
  private static Snapshot log(String text) throws IOException, FormatException {
    return BfcDumpReader.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), ReadLimits.defaults());
  }

  private static List<String> blocks(Segment segment) {
    return segment.blocks().stream()
        .map(block -> Long.toHexString(block.address()) + " " + block.bytes() + " " + block.state())
        .toList();
  }

  @Test
  void aLogHasTheChunksAndTheFailedRequest() throws IOException, FormatException {
    DeviceSnapshot device = log(XlaFiles.log()).devices().getFirst();
    assertThat(device.ordinal()).isZero();
    assertThat(device.facts().family()).isEqualTo(AllocatorFamily.BFC);
    assertThat(device.facts().limitBytes()).hasValue(8 << 20);
    assertThat(device.segments()).hasSize(1);
    assertThat(blocks(device.segments().getFirst()))
        .containsExactly(
            "7f0000000000 4194304 ALLOCATED",
            "7f0000400000 2097152 INACTIVE",
            "7f0000600000 1048576 ALLOCATED",
            "7f0000700000 1048576 INACTIVE");
    assertThat(device.trace().ooms()).containsExactly(new OomEvent(0, 3 << 20, OomEvent.UNKNOWN));
  }

  @Test
  void olderFormsOfTheLines() throws IOException, FormatException {
    Snapshot snapshot =
        log(
            """
            I bfc.cc:1] Chunk at 0x10200000000 of size 256
            I bfc.cc:1] InUse at 0x10200000100 next 5 of size 512
            I bfc.cc:1] Free at 0x10200000300 of size 1024
            """);
    assertThat(blocks(snapshot.devices().getFirst().segments().getFirst()))
        .containsExactly(
            "10200000000 256 ALLOCATED", "10200000100 512 ALLOCATED", "10200000300 1024 INACTIVE");
    assertThat(snapshot.devices().getFirst().trace().isEmpty()).isTrue();
  }

  @Test
  void theDumpsOfTwoProcessesAreNotMixed() throws IOException, FormatException {
    String[] first = XlaFiles.log().split("\n");
    String[] second = XlaFiles.log().replace("7f00", "6e00").split("\n");
    StringBuilder mixed = new StringBuilder();
    for (int i = 0; i < first.length; i++) {
      mixed.append("[rank0]: ").append(first[i]).append('\n');
      mixed.append("[rank1]: ").append(second[i]).append('\n');
    }
    Snapshot snapshot = log(mixed.toString());
    DeviceSnapshot alone = log(XlaFiles.log()).devices().getFirst();
    assertThat(snapshot.devices().getFirst().segments()).isEqualTo(alone.segments());
    assertThat(snapshot.devices().getFirst().facts()).isEqualTo(alone.facts());
    assertThat(snapshot.findings()).extracting(each -> each.code()).contains("other-dumps");
  }

  @Test
  void onlyTheFirstDumpIsRead() throws IOException, FormatException {
    assertThat(log(XlaFiles.log() + XlaFiles.log()).devices().getFirst().segments())
        .isEqualTo(log(XlaFiles.log()).devices().getFirst().segments());
  }

  @Test
  void partsWithoutAddressesAreRejected() {
    assertThatThrownBy(() -> log("Bin (256): \tTotal Chunks: 0, Chunks in use: 0."))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("no chunk with its address")
        .hasMessageContaining("page Logs");
    assertThatThrownBy(
            () ->
                log(
                    """
                    InUse at 7f0000000000 of size 4194304 next 1
                    InUse at 7f0000000100 of size 256 next 2
                    """))
        .hasMessageContaining("two chunks overlap");
    assertThatThrownBy(() -> log("InUse at ffffffffffffff00 of size 4096 next 1\n"))
        .hasMessageContaining("line 1");
  }

  @Test
  void aProtocolBufferHasTheOperationsToo() throws IOException, FormatException {
    Snapshot snapshot =
        MemoryDumpReader.read(
            new ByteArrayInputStream(XlaFiles.memoryDump()), ReadLimits.defaults());
    DeviceSnapshot device = snapshot.devices().getFirst();
    assertThat(device.ordinal()).isEqualTo(1);
    assertThat(device.segments()).hasSize(2);
    assertThat(blocks(device.segments().getFirst()))
        .containsExactly(
            "7f0000000000 4096 ALLOCATED",
            "7f0000001000 8192 INACTIVE",
            "7f0000003000 256 ALLOCATED");
    Block first = device.segments().getFirst().blocks().getFirst();
    assertThat(first.requestedBytes()).isEqualTo(4000);
    assertThat(snapshot.stacks().frame(first.stack()).name()).isEqualTo("conv/Conv2D");
    assertThat(snapshot.findings().getFirst().message()).contains("9,000,000", "1 sizes over time");
  }

  @Test
  void aDumpWithoutChunksIsRejected() {
    byte[] empty = XlaFiles.message(out -> out.writeString(1, "GPU_0_bfc"));
    assertThatThrownBy(
            () -> MemoryDumpReader.read(new ByteArrayInputStream(empty), ReadLimits.defaults()))
        .hasMessageContaining("no chunk");
  }
}
