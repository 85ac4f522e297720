package dev.vramscope.whatif.replays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.TestData;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.bfclog.VerboseLogReader;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.Combinations;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.RecordedRun;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.pool.PoolSettings;
import dev.vramscope.whatif.pool.RecordedPool;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Replays of runs of TensorFlow's real BFC allocator, from its verbose logs. */
class PoolReplaysTest {
  private static Snapshot read(String log) throws IOException, FormatException {
    return VerboseLogReader.read(
        Files.newInputStream(TestData.file("xla/" + log)), ReadLimits.defaults());
  }

  private static final class Recorded {
    private final DeviceSnapshot device;
    private final RecordedRun run;
    private final PoolSettings pool;

    Recorded(Snapshot snapshot) {
      device = snapshot.devices().getFirst();
      run = RecordedRun.of(snapshot, device);
      pool = RecordedPool.of(snapshot, device).orElseThrow();
    }

    Outcome replay(PoolSettings other, DeviceSize size) {
      WhatIfRow row = new WhatIf(run, size, List.of(new Variant.Bfc(other))).run(1).getFirst();
      return ((WhatIfRow.Replayed) row).outcome();
    }
  }

  /** Regions lie at descending addresses, which decides between chunks of one size. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void everyRegionAndPlacementIsReproduced(String name) throws IOException, FormatException {
    String folder = "bfc_truth_" + name;
    JsonNode truth =
        new JsonMapper().readTree(Files.readString(TestData.file("xla/" + folder + "/truth.json")));
    Recorded recorded = new Recorded(read(folder + "/" + truth.path("log").asString()));
    assertThat(recorded.pool.descending()).isTrue();
    assertThat(recorded.pool.preallocated()).isFalse();
    Fidelity fidelity = PoolReproduction.of(recorded.device, recorded.run, recorded.pool);
    assertThat(fidelity.placements()).isEqualTo(truth.path("mallocs").asInt());
    assertThat(fidelity.reproducedPlacements()).isEqualTo(fidelity.placements());
    assertThat(fidelity.segmentEvents()).isEqualTo(truth.path("regions").size());
    assertThat(fidelity.isExact()).isTrue();
    Outcome outcome =
        recorded.replay(
            recorded.pool.withLimit(truth.path("limit").asLong()), DeviceSize.UNLIMITED);
    long regions = 0;
    for (JsonNode region : truth.path("regions")) {
      regions += region.asLong();
    }
    assertThat(outcome.peakReservedBytes()).isEqualTo(regions);
    assertThat(outcome.fits()).isTrue();
  }

  @Test
  void aFailureByFragmentationFailsAgainAndOtherPoolsServeIt() throws IOException, FormatException {
    Recorded recorded = new Recorded(read("tf_vlog_trace_frag/tf_vfrag.log"));
    Fidelity fidelity = PoolReproduction.of(recorded.device, recorded.run, recorded.pool);
    assertThat(fidelity.isExact()).as(fidelity.toString()).isTrue();
    int failed = recorded.device.trace().ooms().getFirst().event();
    DeviceSize size = DeviceSize.of(recorded.device.facts().limitBytes().getAsLong(), 0);
    Outcome same = recorded.replay(recorded.pool, size);
    assertThat(same.fits()).isFalse();
    assertThat(same.failsAtEvent()).hasValue(failed);
    // With 1 MiB more, a pool in one piece serves it and one that grows does not.
    PoolSettings larger = recorded.pool.withLimit((64 + 1) << 20);
    DeviceSize device = DeviceSize.of(1L << 30, 0);
    assertThat(recorded.replay(larger, device).failsAtEvent()).hasValue(failed);
    assertThat(recorded.replay(larger.withPreallocated(true), device).fits()).isTrue();
    assertThat(
            recorded.replay(recorded.pool.withLimit(128L << 20), DeviceSize.of(1L << 30, 0)).fits())
        .isTrue();
  }

  private static PoolSettings pool(String line) {
    PoolSettings recorded = PoolSettings.jax(/* preallocated= */ false, 0.75).withLimit(1 << 28);
    WhatIfSettings settings =
        WhatIfSettings.parsePool(AllocatorFamily.BFC, line, recorded, "line 1");
    return ((Variant.Bfc) settings.variant()).pool();
  }

  @Test
  void settingsAreThoseOfXlaAndTensorFlow() {
    assertThat(pool("recorded").limitBytes()).hasValue(1 << 28);
    assertThat(pool("XLA_PYTHON_CLIENT_PREALLOCATE=true").preallocated()).isTrue();
    assertThat(pool("allow_growth=false").preallocated()).isTrue();
    assertThat(pool("XLA_CLIENT_MEM_FRACTION=.5").memoryFraction()).isEqualTo(0.5);
    assertThat(pool("per_process_gpu_memory_fraction=0.9").limitBytes()).isEmpty();
    assertThat(pool("memory_limit=2GiB").limitBytes()).hasValue(2L << 30);
    assertThat(pool("internal_fragmentation_fraction=0.05, allow_growth=true"))
        .isEqualTo(pool("recorded").withFragmentationFraction(0.05));
    assertThat(pool("export TF_ENABLE_GPU_GARBAGE_COLLECTION=true").releasesFreeRegions()).isTrue();
    for (String bad :
        List.of("memory_limit=x", "XLA_CLIENT_MEM_FRACTION=2", "expandable_segments:True")) {
      assertThatThrownBy(() -> pool(bad)).isInstanceOf(SettingsRefusedException.class);
    }
  }

  /** Stored results of earlier versions have these keys. */
  @Test
  void keysOfEarlierVersionsAreKept() {
    assertThat(new ReplayKey(0, DeviceSize.UNLIMITED, Variant.Bfc.growing(0.75)).text())
        .isEqualTo("device 0 of unlimited less 0: bfc false 0.75");
  }

  @Test
  void theUsualRowsHaveNoSettingsOfPyTorch() throws IOException, FormatException {
    Recorded recorded = new Recorded(read("tf_vlog_trace_frag/tf_vfrag.log"));
    List<Variant> variants = Combinations.usualOfPool(recorded.pool, /* isDeviceKnown= */ true);
    assertThat(variants).hasSizeGreaterThan(6).noneMatch(Variant.Caching.class::isInstance);
    assertThat(variants.stream().map(Variant::label))
        .contains(
            "BFC, preallocated, limit 64 MiB",
            "BFC, growing, 0.90",
            "BFC, growing, limit 64 MiB, internal_fragmentation_fraction=0.05");
  }
}
