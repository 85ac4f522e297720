package dev.vramscope.live.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.live.AllocatorKind;
import dev.vramscope.replay.ReplayConfig;
import dev.vramscope.replay.TraceKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A script, written as a trace, allocates the same addresses in the command replay. */
class TraceTextTest {
  private static final long MIB = 1L << 20;
  private static final long BASE = 0x1000_0000_0000L;

  @TempDir Path folder;

  private static Script random(long seed, int count) {
    Random random = new Random(seed);
    List<Operation> operations = new ArrayList<>();
    List<Long> live = new ArrayList<>();
    for (long id = 1; operations.size() < count; id++) {
      int stream = random.nextInt(3);
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3 -> {
          operations.add(
              new Operation.Allocate(
                  id, 1 + random.nextLong(1L << (10 + random.nextInt(16))), stream));
          live.add(id);
        }
        case 4, 5 -> {
          if (!live.isEmpty()) {
            operations.add(new Operation.Free(live.remove(random.nextInt(live.size()))));
          }
        }
        case 6 -> {
          if (!live.isEmpty()) {
            long block = live.get(random.nextInt(live.size()));
            operations.add(new Operation.Launch(block, stream));
            if (random.nextBoolean()) {
              operations.add(new Operation.RecordStream(block, stream));
            }
          }
        }
        case 7 -> operations.add(new Operation.Finish(stream));
        case 8 ->
            operations.add(
                random.nextInt(4) == 0
                    ? new Operation.EmptyCache()
                    : new Operation.Synchronize(stream));
        default ->
            operations.add(
                random.nextInt(5) == 0
                    ? new Operation.External(random.nextInt(40) * MIB)
                    : new Operation.Label("step " + id));
      }
    }
    return new Script(operations);
  }

  private List<Long> replayed(TraceKind kind, TraceText text) throws IOException {
    Path config = folder.resolve("config.txt");
    Files.writeString(config, text.configuration());
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    kind.replay()
        .replay(
            ReplayConfig.read(config),
            new ByteArrayInputStream(text.trace().getBytes(StandardCharsets.UTF_8)),
            records);
    List<Long> addresses = new ArrayList<>();
    for (String line : records.toString(StandardCharsets.UTF_8).lines().toList()) {
      JsonNode record = JsonMapper.shared().readTree(line);
      if (record.path("op").asString().equals("malloc")) {
        addresses.add(record.path("addr").asLong(-1));
      }
    }
    return addresses;
  }

  private static List<Long> shown(Setup setup, Script script) {
    List<Long> addresses = new ArrayList<>();
    int from = 0;
    while (from < script.operations().size()) {
      List<Step> steps = Experiment.run(setup, script, from, Experiment.MAX_STEPS);
      for (Step step : steps.subList(1, steps.size())) {
        if (step.search().isPresent()) {
          addresses.add(step.isFailed() ? -1 : step.address() - BASE);
        }
      }
      from += steps.size() - 1;
    }
    return addresses;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "expandable_segments:True",
        "max_split_size_mb:20",
        "roundup_power2_divisions:4"
      })
  void cachingTracesReplayAlike(String settings) throws IOException {
    for (long seed = 1; seed <= 5; seed++) {
      Setup setup = new Setup(AllocatorKind.CACHING, settings, 160 * MIB);
      Script script = random(seed, 600);
      List<Long> shown = shown(setup, script);
      assertThat(replayed(TraceKind.CACHING, TraceText.of(setup, script)))
          .as("seed %d", seed)
          .isEqualTo(shown);
      assertThat(shown).as("some requests fail").contains(-1L);
    }
  }

  @Test
  void tracesWithoutACacheReplayAlike() throws IOException {
    Setup setup = new Setup(AllocatorKind.DIRECT, "", 160 * MIB);
    Script script = random(3, 600);
    TraceText text = TraceText.of(setup, script);
    List<Long> shown = shown(setup, script);
    assertThat(text.allocator()).isEqualTo("caching");
    assertThat(replayed(TraceKind.CACHING, text)).isEqualTo(shown);
    assertThat(shown).as("some requests fail").contains(-1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "memory_limit=128MiB,enable_spatial_partitioning=false",
        "memory_limit=128MiB,enable_spatial_partitioning=true",
        "memory_limit=128MiB,preallocate=false,garbage_collection=true"
      })
  void bfcTracesReplayAlike(String settings) throws IOException {
    Setup setup = new Setup(AllocatorKind.BFC, settings, 160 * MIB);
    Script script = random(7, 600);
    List<Long> shown = shown(setup, script);
    List<Long> replayed = replayed(TraceKind.BFC, TraceText.of(setup, script));
    assertThat(replayed).hasSameSizeAs(shown);
    // Only the first address differs: it is the device's.
    for (int i = 0; i < shown.size(); i++) {
      assertThat(replayed.get(i) == -1).as("request %d fails", i).isEqualTo(shown.get(i) == -1);
    }
  }
}
