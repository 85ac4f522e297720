package dev.vramscope.format.xla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.TestData;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.finding.Finding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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

  private static Snapshot real(String file) throws IOException, FormatException {
    String log = Files.readString(TestData.file(file));
    return log(BfcDumpReader.cut(log).orElseThrow());
  }

  @Test
  void aDumpOfAGpuNamesWhoAllocatedEachChunk() throws IOException, FormatException {
    JsonNode truth =
        new JsonMapper().readTree(Files.readString(TestData.file("xla/jax_gpu_oom/truth.json")));
    Snapshot snapshot = real("xla/jax_gpu_oom/dump.log");
    DeviceSnapshot device = snapshot.devices().getFirst();
    assertThat(device.facts().limitBytes()).hasValue(truth.path("limit").asLong());
    assertThat(inUse(device)).isEqualTo(truth.path("in_use").asLong());
    assertThat(device.trace().ooms().getFirst().requestedBytes())
        .isEqualTo(truth.path("request").asLong());
    Map<String, Long> holders =
        device.segments().stream()
            .flatMap(segment -> segment.blocks().stream())
            .filter(block -> block.stack() != StackTable.NONE)
            .collect(
                Collectors.groupingBy(
                    block -> snapshot.stacks().frame(block.stack()).name(),
                    Collectors.summingLong(Block::bytes)));
    Map<String, Long> expected =
        truth
            .path("holders")
            .propertyStream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().asLong()));
    assertThat(holders).isEqualTo(expected);

    Snapshot binary =
        MemoryDumpReader.read(
            Files.newInputStream(TestData.file("xla/jax_gpu_oom/memory.dump")),
            ReadLimits.defaults());
    assertThat(binary.devices().getFirst().segments().stream().map(BfcDumpsTest::blocks))
        .containsExactlyElementsOf(device.segments().stream().map(BfcDumpsTest::blocks).toList());
  }

  private static long inUse(DeviceSnapshot device) {
    return device.segments().stream().mapToLong(Segment::allocatedBytes).sum();
  }

  @Test
  void whatChunksHaveBeyondTheirRequestsIsSaid() throws IOException, FormatException {
    for (String name : List.of("full", "growing")) {
      String folder = "xla/tf_bfc_" + name;
      JsonNode truth =
          new JsonMapper().readTree(Files.readString(TestData.file(folder + "/truth.json")));
      List<String> messages =
          real(folder + "/dump.log").findings().stream().map(Finding::message).toList();
      long inUse = truth.path("in_use").asLong();
      long requested = truth.path("requested_in_use").asLong();
      assertThat(messages)
          .as(name)
          .anyMatch(
              each ->
                  each.startsWith(
                      "Of "
                          + ByteText.of(inUse)
                          + " in use, the program requested "
                          + ByteText.of(requested)
                          + "; "
                          + ByteText.of(inUse - requested)
                          + " are in chunks beyond their requests."));
    }
    assertThat(log(XlaFiles.log()).findings())
        .as("a dump without the lines of all size classes")
        .noneMatch(each -> each.message().contains("beyond their requests"));
  }

  @Test
  void theLimitHasItsUnit() throws IOException, FormatException {
    for (String name : List.of("full", "growing", "matmul", "toolarge")) {
      String folder = "xla/tf_bfc_" + name;
      JsonNode truth =
          new JsonMapper().readTree(Files.readString(TestData.file(folder + "/truth.json")));
      DeviceSnapshot device = real(folder + "/dump.log").devices().getFirst();
      assertThat(device.facts().limitBytes()).as(name).hasValue(truth.path("limit").asLong());
      assertThat(inUse(device)).as(name).isEqualTo(truth.path("in_use").asLong());
      assertThat(device.trace().ooms().getFirst().requestedBytes())
          .as(name)
          .isEqualTo(truth.path("request").asLong());
    }
    DeviceSnapshot golden = real("xla/golden/oom_full.log").devices().getFirst();
    assertThat(golden.facts().limitBytes()).hasValue(8 << 20);
  }

  /** A dump of a pool of 10 GiB, with the lines that follow its chunks. */
  private static Snapshot pool(long requested, String after) throws IOException, FormatException {
    return log(
        """
        Allocator (GPU_0_bfc) ran out of memory trying to allocate 1B (rounded to %d)requested by op
        Next region of size 10737418240
        InUse at 7f0000000000 of size 10737418240 next 18446744073709551615
        Sum Total of in-use chunks: 10.00GiB
        %s
        """
            .formatted(requested, after));
  }

  @Test
  void aRoundedLimitIsUsedWhereItsRoundingDoesNotMatter() throws IOException, FormatException {
    // What the pool lacks to the limit is exact, and so is the limit.
    Snapshot exact = pool(256, "memory_limit_: 10.00GiB available size: 512B\nLimit:   10.00GiB");
    assertThat(exact.devices().getFirst().facts().limitBytes()).hasValue((10L << 30) + 512);
    assertThat(exact.findings()).extracting(Finding::code).doesNotContain("limit-rounded");
    // The pool is within its limit, although the limit was rounded down.
    Snapshot rounded = pool(1L << 40, "Limit:   9.99GiB");
    assertThat(rounded.devices().getFirst().facts().limitBytes()).hasValue(10L << 30);
    assertThat(rounded.findings()).extracting(Finding::code).contains("limit-rounded");
    // 1 MiB more may be below the limit or above it.
    assertThat(pool(1 << 20, "Limit:   10.00GiB").devices().getFirst().facts().limitBytes())
        .isEmpty();
    for (String none : List.of("Limit:   10.00", "Limit:   10.00Qi", "Limit:   12 Gbit", "x")) {
      assertThat(pool(256, none).devices().getFirst().facts().limitBytes()).as(none).isEmpty();
    }
  }

  @Test
  void everyLimitIsReadAsItIsOrNotAtAll() throws IOException, FormatException {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 2000; round++) {
      long limit = random.nextLong(1L << random.nextInt(9, 50)) + (10L << 30);
      long request = random.nextLong(1, 1L << random.nextInt(1, 50));
      int power = random.nextInt(5);
      double scaled = (double) limit / (1L << (10 * power));
      String written =
          power == 0
              ? Long.toString(limit)
              : String.format(Locale.ROOT, "%.2f%ciB", scaled, "KMGT".charAt(power - 1));
      Snapshot snapshot = pool(request, "Limit:         " + written);
      OptionalLong read = snapshot.devices().getFirst().facts().limitBytes();
      String as = "seed 3, round " + round + ": " + limit + ", " + written + ", " + read;
      if (power == 0) {
        assertThat(read).as(as).hasValue(limit);
      } else if (read.isPresent()) {
        long pool = 10L << 30;
        assertThat(read.getAsLong()).as(as).isGreaterThanOrEqualTo(pool);
        assertThat(request > read.getAsLong()).as(as).isEqualTo(request > limit);
        assertThat(pool + request > read.getAsLong()).as(as).isEqualTo(pool + request > limit);
      }
    }
  }

  @Test
  void aSizeWithAnotherUnitIsNoChunk() throws IOException, FormatException {
    Snapshot snapshot =
        log(
            """
            InUse at 7f0000000000 of size 256 next 1
            InUse at 7f0000001000 of size 256.00MiB next 2
            InUse at 7f0000002000 of size 1234567890123456789012 next 3
            """);
    assertThat(inUse(snapshot.devices().getFirst())).isEqualTo(256);
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
        .hasMessageContaining("explained as a log");
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
  void aDumpIsEvidenceOfAFailedRequest() throws IOException, FormatException {
    for (String name : List.of("full", "matmul")) {
      byte[] file = Files.readAllBytes(TestData.file("xla/tf_bfc_" + name + "/memory.dump"));
      Snapshot snapshot =
          MemoryDumpReader.read(new ByteArrayInputStream(file), ReadLimits.defaults());
      DeviceSnapshot device = snapshot.devices().getFirst();
      assertThat(device.kind()).isEqualTo(RecordingKind.DUMP);
      assertThat(device.isFailedRequestUnknown()).isTrue();
      assertThat(device.failedRequestCount()).isEqualTo(1);
      assertThat(snapshot.findings().getFirst().message())
          .contains("without the operations")
          .doesNotContain("name of the operation");
      DeviceSnapshot log = real("xla/tf_bfc_" + name + "/dump.log").devices().getFirst();
      assertThat(log.isFailedRequestUnknown()).isFalse();
      assertThat(device.hasRequestedBytes()).isTrue();
      assertThat(log.hasRequestedBytes()).isFalse();
      assertThat(inUse(device)).isEqualTo(inUse(log));
    }
    assertThat(log("InUse at 7f0000000000 of size 256 next 1\n").devices().getFirst())
        .matches(DeviceSnapshot::isFailedRequestUnknown);
  }

  @Test
  void aDumpWithoutChunksIsRejected() {
    byte[] empty = XlaFiles.message(out -> out.writeString(1, "GPU_0_bfc"));
    assertThatThrownBy(
            () -> MemoryDumpReader.read(new ByteArrayInputStream(empty), ReadLimits.defaults()))
        .hasMessageContaining("no chunk");
  }
}
