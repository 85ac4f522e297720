package dev.vramscope.format.hlo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.ArrayShape;
import dev.vramscope.compiled.CompiledFile;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.Donations;
import dev.vramscope.compiled.LiveRanges;
import dev.vramscope.compiled.MemoryStatistics;
import dev.vramscope.compiled.MemoryUses;
import dev.vramscope.compiled.PackingMap;
import dev.vramscope.compiled.PeakMoment;
import dev.vramscope.compiled.ProgramComparison;
import dev.vramscope.format.FormatException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files of JAX 0.10.2, with what is true about them beside each. */
class CompiledTruthTest {
  private static final Map<AllocationUse, String> PARTS =
      Map.of(
          AllocationUse.TEMPORARY, "preallocated_temp",
          AllocationUse.OUTPUT, "live_out",
          AllocationUse.CONSTANT, "constants",
          AllocationUse.THREAD_LOCAL, "thread_local");

  private static JsonNode truth(String folder) throws IOException {
    return JsonMapper.shared()
        .readTree(Files.readString(TestData.file("xla/" + folder + "/truth.json")));
  }

  private static CompiledFile read(String folder) throws FormatException {
    return CompiledTexts.read(
        CompiledTexts.joined(
            TestData.files("xla/" + folder).stream()
                .filter(file -> file.toString().endsWith(".txt"))
                .toList()));
  }

  @Test
  void everyByteOfAStepIsInOnePart() throws Exception {
    JsonNode truth = truth("jax_xla_dump_jit_step");
    CompiledFile file = read("jax_xla_dump_jit_step");
    assertThat(file.platform()).isEqualTo("cpu");
    CompiledProgram step = file.programs().getFirst();
    assertThat(step.name()).isEqualTo("module_0150.jit_step");
    assertThat(step.findings()).isEmpty();
    assertThat(step.missingFiles()).isEmpty();
    MemoryUses parts = MemoryUses.of(step);
    assertThat(parts.totalBytes()).isEqualTo(truth.path("total_bytes").asLong());
    assertThat(parts.rows().stream().mapToLong(MemoryUses.Row::bytes).sum())
        .isEqualTo(parts.totalBytes());
    assertThat(parts.callerBytes()).isEqualTo(truth.at("/parts/parameters").asLong());
    PARTS.forEach(
        (use, name) ->
            assertThat(parts.bytes(use)).as(name).isEqualTo(truth.at("/parts/" + name).asLong()));
    MemoryStatistics statistics = step.statistics().orElseThrow();
    truth
        .path("memory_analysis")
        .properties()
        .forEach(
            each -> assertThat(statistics.of(each.getKey())).hasValue(each.getValue().asLong()));
    assertThat(file.programs()).hasSize(2);
    assertThat(file.programs().get(1).name()).isEqualTo("not_donated");
  }

  @Test
  void thePeakIsTheStatedOne() throws Exception {
    JsonNode truth = truth("jax_xla_dump_jit_step").path("live_range_peak");
    CompiledProgram step = read("jax_xla_dump_jit_step").programs().getFirst();
    PeakMoment peak = PeakMoment.of(step).orElseThrow();
    assertThat(peak.position()).isEqualTo(truth.path("instruction").asInt());
    assertThat(peak.bytes()).isEqualTo(truth.path("bytes").asLong());
    assertThat(step.liveRanges().orElseThrow().peakBytes()).isEqualTo(peak.bytes());
    for (int i = 0; i < truth.path("largest").size(); i++) {
      PeakMoment.LiveBuffer buffer = peak.buffers().get(i);
      assertThat(buffer.buffer().instruction() + " " + buffer.buffer().bytes())
          .isEqualTo(truth.at("/largest/" + i).asString());
    }
    // XLA counts a buffer that ends where another begins once; the sum here counts both.
    LiveRanges stated = step.liveRanges().orElseThrow();
    CompiledProgram unstated =
        new CompiledProgram(
            "",
            step.allocations(),
            Optional.of(new LiveRanges(stated.instructions(), stated.ranges(), -1, -1)),
            step.text(),
            step.statistics(),
            step.costs(),
            List.of());
    assertThat(PeakMoment.of(unstated).orElseThrow().bytes())
        .isBetween(peak.bytes(), peak.bytes() + peak.bytes() / 20);
    assertThat(peak.occupiedBytes()).isBetween(1L, peak.temporaryBytes());
  }

  @Test
  void whatIsDonatedAddsUpToTheAliasedBytes() throws Exception {
    JsonNode truth = truth("jax_xla_dump_jit_step").path("memory_analysis");
    CompiledProgram step = read("jax_xla_dump_jit_step").programs().getFirst();
    Donations donations = Donations.of(step);
    assertThat(donations.donatedBytes()).isEqualTo(truth.path("alias").asLong());
    assertThat(donations.donated().getFirst().name()).startsWith("p[");
    assertThat(donations.candidateBytes()).isZero();
  }

  /** Instructions have the operation and the lines of the user's program. */
  @Test
  void buffersHaveOperationsAndLines() throws Exception {
    CompiledProgram step = read("jax_xla_dump_jit_step").programs().getFirst();
    assertThat(
            PeakMoment.of(step).orElseThrow().buffers().stream()
                .map(live -> step.instruction(live.buffer().instruction()).orElseThrow())
                .filter(instruction -> !instruction.source().isEmpty())
                .map(instruction -> instruction.source().getLast()))
        .isNotEmpty()
        .allMatch(line -> line.matches("<module> prog/train\\.py:\\d+"));
  }

  @Test
  void variantsOfAScanHaveTheirNamesAndSums() throws Exception {
    JsonNode truth = truth("jax_remat_scan");
    CompiledFile file = read("jax_remat_scan");
    assertThat(file.programs()).hasSize(truth.path("temp").size());
    for (CompiledProgram program : file.programs()) {
      MemoryStatistics statistics = program.statistics().orElseThrow();
      assertThat(statistics.of("temp"))
          .as(program.name())
          .hasValue(truth.path("temp").path(program.name()).asLong(-1));
      assertThat(statistics.hasWrongPeak()).isTrue();
      assertThat(statistics.peakBytes()).isEmpty();
      assertThat(truth.path("trap").asString())
          .contains(String.valueOf(statistics.of("peak_memory").orElseThrow()));
    }
    CompiledProgram grad = file.programs().get(1);
    CompiledProgram remat = file.programs().get(2);
    long saved =
        grad.statistics().orElseThrow().of("temp").orElseThrow()
            - remat.statistics().orElseThrow().of("temp").orElseThrow();
    assertThat(truth.path("right").asString())
        .contains("saves " + saved + " B")
        .contains((long) grad.flops().orElseThrow() + " -> " + (long) remat.flops().orElseThrow());
  }

  @Test
  void aComparisonSaysWhatRematerializationSaves() throws Exception {
    JsonNode truth = truth("jax_remat_scan");
    List<CompiledProgram> programs = read("jax_remat_scan").programs();
    ProgramComparison comparison =
        ProgramComparison.of(programs.get(1), programs.get(2)).orElseThrow();
    long saved =
        truth.path("temp").path(programs.get(1).name()).asLong()
            - truth.path("temp").path(programs.get(2).name()).asLong();
    assertThat(comparison.change(AllocationUse.TEMPORARY)).isEqualTo(-saved);
    assertThat(comparison.change()).isEqualTo(-saved);
    assertThat(comparison.operations()).isEmpty();
    CompiledProgram step = read("jax_xla_dump_jit_step").programs().getFirst();
    assertThat(ProgramComparison.of(step, step).orElseThrow().operations()).isEmpty();
  }

  @Test
  void donationIsASumAndAWarning() throws Exception {
    JsonNode truth = truth("jax_donation");
    CompiledFile file = read("jax_donation");
    for (CompiledProgram program : file.programs()) {
      JsonNode right = truth.path(program.name());
      MemoryStatistics statistics = program.statistics().orElseThrow();
      assertThat(statistics.of("alias")).hasValue(right.path("alias").asLong(-1));
      assertThat(statistics.of("temp")).hasValue(right.path("temp").asLong(-1));
      assertThat(statistics.totalBytes()).hasValue(right.path("live_peak_formula").asLong(-1));
      assertThat(MemoryUses.of(program).totalBytes())
          .isEqualTo(right.path("live_peak_formula").asLong(-1));
    }
    String unusable = file.unusableDonations().getFirst();
    assertThat(truth.path("right").asString())
        .contains(unusable + " = " + ArrayShape.of(unusable).orElseThrow().bytes() + " B");
  }

  /** In time of this thread, which a busy machine changes less. */
  @Test
  void aHundredThousandValuesAreReadAndDrawn() throws Exception {
    String text = CompiledTexts.large(100_000);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    CompiledProgram program = CompiledTexts.read(text).programs().getFirst();
    PackingMap map = PackingMap.of(program).orElseThrow();
    PeakMoment peak = PeakMoment.of(program).orElseThrow();
    long millis = (threads.getCurrentThreadCpuTime() - start) / 1_000_000;
    assertThat(program.buffers()).hasSize(100_001);
    assertThat(map.buffers().size() + map.cells().size()).isBetween(1, 200_000);
    assertThat(peak.bytes()).isPositive();
    assertThat(millis).isLessThan(2000);
  }
}
