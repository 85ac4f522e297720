package dev.vramscope.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.analysis.SnapshotHistory;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.evidence.AttachedText;
import dev.vramscope.evidence.Evidence;
import dev.vramscope.evidence.PoolText;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.xla.BfcDumpReader;
import dev.vramscope.format.xla.MemoryDumpReader;
import dev.vramscope.model.Block;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import dev.vramscope.whatif.pool.PoolTrials.Answer;
import dev.vramscope.whatif.pool.PoolTrials.Question;
import dev.vramscope.whatif.replays.KnownReplays;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real failures of TensorFlow and JAX: the causes of their dumps, and dumps with their logs. */
class JoinedDumpTest {
  private static JsonNode truth(String folder) throws IOException {
    return new JsonMapper().readTree(Files.readString(TestData.file(folder + "/truth.json")));
  }

  private static String log(String folder) throws IOException {
    return Files.readString(TestData.file(folder + "/dump.log"));
  }

  private static Snapshot dump(String folder) throws IOException, FormatException {
    return MemoryDumpReader.read(
        Files.newInputStream(TestData.file(folder + "/memory.dump")), ReadLimits.defaults());
  }

  private static DeviceInspection with(Snapshot snapshot, String... texts) {
    List<AttachedText> attached =
        IntStream.range(0, texts.length)
            .mapToObj(
                i ->
                    new AttachedText(
                        i + 1,
                        snapshot.devices().getFirst().ordinal(),
                        null,
                        Instant.EPOCH,
                        texts[i]))
            .toList();
    return SnapshotInspection.of(
            SnapshotHistory.of(snapshot), () -> attached, _ -> KnownReplays.NONE)
        .devices()
        .getFirst();
  }

  private static OomReport report(DeviceInspection device) {
    return device.failures().report(0, DeviceEvidence.NONE);
  }

  private static DeviceInspection ofLog(String folder) throws IOException, FormatException {
    byte[] text = BfcDumpReader.cut(log(folder)).orElseThrow().getBytes(StandardCharsets.UTF_8);
    return with(BfcDumpReader.read(new ByteArrayInputStream(text), ReadLimits.defaults()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"full", "growing", "matmul", "toolarge"})
  void theCauseOfALog(String name) throws IOException, FormatException {
    JsonNode truth = truth("xla/tf_bfc_" + name);
    OomReport report = report(ofLog("xla/tf_bfc_" + name));
    boolean isLarger = truth.path("request").asLong() > truth.path("limit").asLong();
    assertThat(report.verdict().cause())
        .as(truth.path("cause").asString() + ": " + report.verdict().sentence())
        .isEqualTo(isLarger ? Cause.REQUEST_EXCEEDS_POOL : Cause.TOO_MUCH_LIVE);
    assertThat(report.verdict().certainty())
        .isEqualTo(isLarger ? Certainty.CERTAIN : Certainty.LIKELY);
    assertThat(report.isPresent(Cause.CHUNK_WASTE)).isEqualTo(!isLarger);
    if (truth.has("requested_in_use")) {
      long waste = truth.path("in_use").asLong() - truth.path("requested_in_use").asLong();
      assertThat(Math.abs(report.waste().bytes() - waste))
          .isLessThanOrEqualTo(report.waste().errorBytes());
    }
    assertThat(report.pool().orElseThrow().isFit(Question.ONE_PIECE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"xla/tf_bfc_full", "xla/tf_bfc_matmul", "xla/jax_gpu_oom"})
  void theRequestOfALogBecomesTheFailureOfTheDump(String folder)
      throws IOException, FormatException {
    JsonNode truth = truth(folder);
    Snapshot alone = dump(folder);
    assertThat(with(alone).device().isFailedRequestUnknown()).isTrue();
    DeviceInspection device = with(alone, PoolText.excerpt(log(folder)).orElseThrow());
    assertThat(device.ooms())
        .singleElement()
        .satisfies(
            oom -> assertThat(oom.requestedBytes()).isEqualTo(truth.path("request").asLong()));
    assertThat(device.device().facts().limitBytes()).hasValue(truth.path("limit").asLong());
    assertThat(report(device).verdict().cause()).isEqualTo(Cause.TOO_MUCH_LIVE);
    assertThat(report(device).waste().isKnown()).isTrue();
    assertThat(device.device().hasRequestedBytes()).as("those of the dump").isTrue();
    if (truth.has("holders")) {
      long named =
          device.device().segments().stream()
              .flatMap(segment -> segment.blocks().stream())
              .filter(block -> block.stack() != StackTable.NONE)
              .mapToLong(Block::bytes)
              .sum();
      assertThat(named)
          .isEqualTo(truth.path("holders").valueStream().mapToLong(each -> each.asLong()).sum());
    }
  }

  /** The log rounds what was requested, and only 256 bytes are missing. */
  @Test
  void theDumpDecidesWhatTheLogCannot() throws IOException, FormatException {
    String folder = "xla/tf_bfc_matmul";
    assertThat(report(ofLog(folder)).pool().orElseThrow().row(Question.REQUESTED_SIZES).answer())
        .isEqualTo(Answer.NOT_DECIDABLE);
    DeviceInspection joined = with(dump(folder), PoolText.excerpt(log(folder)).orElseThrow());
    assertThat(report(joined).pool().orElseThrow().row(Question.REQUESTED_SIZES).answer())
        .isEqualTo(Answer.DOES_NOT_FIT);
  }

  @Test
  void aLogOfAnotherMomentIsNotJoined() throws IOException, FormatException {
    String full = PoolText.excerpt(log("xla/tf_bfc_full")).orElseThrow();
    Snapshot matmul = dump("xla/tf_bfc_matmul");
    assertThat(with(matmul, full).device().isFailedRequestUnknown()).isTrue();
    String own = PoolText.excerpt(log("xla/tf_bfc_matmul")).orElseThrow();
    for (String other :
        List.of(
            own.replace("of size 132120576", "of size 132120320"),
            own.replace("7fabd41fd040", "7fabd41fd140"),
            own.lines().findFirst().orElseThrow())) {
      assertThat(with(matmul, other).device().isFailedRequestUnknown()).as(other).isTrue();
    }
    // Without addresses, equal size classes are likely, and the verdict says so.
    String bins = String.join("\n", own.lines().filter(line -> !line.contains(" at 7f")).toList());
    DeviceInspection likely = with(matmul, bins);
    assertThat(report(likely).verdict().caveats())
        .anyMatch(each -> each.contains("addresses were not compared"));
  }

  @Test
  void ofALongLogTheChunksThatHaveRoomAreKept() {
    StringBuilder log = new StringBuilder("step 1\n".repeat(2000));
    log.append(
        "x] Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.00GiB (rounded to"
            + " 1073741824) from the lower end requested by op jit_step\n");
    for (int bin = 0; bin < 21; bin++) {
      log.append("x] Bin (" + (256L << bin) + "): \tTotal Chunks: 9, Chunks in use: 9. 1B\n");
    }
    for (int i = 0; i < 5000; i++) {
      log.append(String.format("x] InUse at 7f%08x of size 256 next %d%n", i * 256, i + 1));
    }
    log.append("Limit:      1234567890\n");
    String excerpt = PoolText.excerpt(log.toString()).orElseThrow();
    assertThat(excerpt.length()).isLessThanOrEqualTo(Evidence.MAX_CHARACTERS);
    PoolText text = PoolText.parse(excerpt).orElseThrow();
    assertThat(text.requestedBytes()).isEqualTo(1 << 30);
    assertThat(text.operation()).isEqualTo("jit_step");
    assertThat(text.bins()).hasSize(21);
    assertThat(text.chunks().size()).isBetween(200, 4999);
    assertThat(text.limit().bytes(0, 0)).hasValue(1234567890);
  }
}
