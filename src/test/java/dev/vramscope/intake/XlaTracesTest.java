package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.TestData;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.xla.BfcDumpReader;
import dev.vramscope.format.xla.XlaFiles;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of XLA's and TensorFlow's allocator are recognized by their content. */
class XlaTracesTest {
  private static byte[] file(String name) throws IOException {
    return Files.readAllBytes(TestData.file("xla/" + name));
  }

  private static SniffedFormat sniff(byte[] file) throws FormatException {
    return FormatSniffer.sniff(Arrays.copyOf(file, Math.min(file.length, FormatSniffer.HEAD)));
  }

  @Test
  void profilesAndVerboseLogsAreRecognized() throws IOException, FormatException {
    assertThat(sniff(file("tf_xplane_memory/vm.xplane.pb"))).isEqualTo(SniffedFormat.XPLANE);
    assertThat(sniff(file("jax_xplane_cpu/vm.xplane.pb"))).isEqualTo(SniffedFormat.XPLANE);
    for (String log :
        List.of(
            "bfc_truth_a/tr_a.log", "bfc_truth_b/tr_b.log", "tf_vlog_trace_frag/tf_vfrag.log")) {
      assertThat(sniff(file(log))).isEqualTo(SniffedFormat.VERBOSE_LOG);
    }
    assertThat(sniff(XlaFiles.memoryDump())).isEqualTo(SniffedFormat.MEMORY_DUMP);
    assertThat(sniff(new XlaFiles.Profile().bytes())).isEqualTo(SniffedFormat.PROFILE);
  }

  @Test
  void aCompressedProfileIsRead(@TempDir Path folder) throws IOException, FormatException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(file("tf_xplane_memory/vm.xplane.pb"));
    }
    Path file = folder.resolve("x");
    Files.write(file, packed.toByteArray());
    assertThat(SnapshotFile.read(file, ReadLimits.defaults()).snapshot()).isPresent();
  }

  @Test
  void aTraceForTheTraceViewerIsNamed() throws IOException {
    byte[] json;
    try (GZIPInputStream in =
        new GZIPInputStream(
            Files.newInputStream(TestData.file("xla/jax_xplane_cpu/vm.trace.json.gz")))) {
      json = in.readAllBytes();
    }
    assertThatThrownBy(() -> sniff(json))
        .isInstanceOfSatisfying(
            FormatException.class,
            refused -> {
              assertThat(refused.what()).contains("XProf", "JAX").doesNotContain("torch");
              assertThat(refused.next()).contains("*.xplane.pb");
            });
  }

  /** The state at the failure is the dump that the allocator wrote then, chunk by chunk. */
  @Test
  void theStateAtAFailureIsThatOfItsDump() throws IOException, FormatException {
    byte[] log = file("tf_vlog_trace_frag/tf_vfrag.log");
    DeviceSnapshot device =
        SniffedFormat.VERBOSE_LOG
            .read(new ByteArrayInputStream(log), ReadLimits.defaults())
            .devices()
            .getFirst();
    int failed = device.trace().ooms().getFirst().event();
    AllocatorState state =
        AllocatorState.at(device, Lifetimes.of(device), SizeRules.DEFAULT, failed);
    String dump = BfcDumpReader.cut(new String(log, StandardCharsets.UTF_8)).orElseThrow();
    List<Segment> dumped =
        BfcDumpReader.read(
                new ByteArrayInputStream(dump.getBytes(StandardCharsets.UTF_8)),
                ReadLimits.defaults())
            .devices()
            .getFirst()
            .segments();
    assertThat(chunks(state.segments())).isEqualTo(chunks(dumped)).hasSize(8);
  }

  private static List<String> chunks(List<Segment> segments) {
    return segments.stream()
        .map(Segment::blocks)
        .flatMap(List::stream)
        .map((Block each) -> each.address() + " " + each.bytes() + " " + each.state())
        .toList();
  }
}
