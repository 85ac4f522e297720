package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.RealTorch;
import dev.vramscope.TestData;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Advice, followed in PyTorch itself: programs fail and are recorded, the recording is replayed
 * under other settings and with an emptied cache, and the programs run again with each of these
 * changes. They get past their failure where the replay fits, and nowhere else.
 *
 * <p>Skipped without real PyTorch. {@code -Dvramscope.update-docs=true} writes the outcome to
 * {@code docs/advice.md}.
 */
class AdviceFollowedIT {
  private static final List<String> PROGRAMS =
      List.of(
          "pieces_half",
          "pieces_adapters",
          "pieces_of_pages",
          "pieces_varying_training",
          "pieces_varying_evaluation",
          "pieces_in_training",
          "stream_of_copies",
          "pool_of_small_blocks",
          "spike_wide_batch",
          "leak_losses",
          "limit_beside_training",
          "others_beside_training");
  private static final List<String> SETTINGS =
      List.of(
          "expandable_segments:True",
          "max_split_size_mb:64",
          "max_split_size_mb:128",
          "max_split_size_mb:512",
          "roundup_power2_divisions:8",
          "large_segment_size_mb:64",
          "large_segment_size_mb:256",
          "expandable_segments:True,roundup_power2_divisions:8");
  private static final Path TABLE = Path.of("docs", "advice.md");
  private static final String HEADING = "\n## Outcome\n";

  @SuppressWarnings("NullAway.Init")
  private static RealTorch torch;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path folder;

  private final List<String> outcomes = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();
  private int fitting;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    torch = RealTorch.orSkip();
  }

  @AfterAll
  static void stop() {
    if (torch != null) {
      torch.close();
    }
  }

  @Test
  void programsGetPastTheirFailureWhereTheReplayFits() throws IOException, FormatException {
    for (String name : PROGRAMS) {
      follow(name);
    }
    System.out.println("Advice followed: " + outcomes.size() + " runs, " + wrong.size() + " wrong");
    if (Boolean.getBoolean("vramscope.update-docs")) {
      writeTable();
    }
    assertThat(wrong).isEmpty();
    assertThat(fitting).isBetween(1, outcomes.size() - 1);
  }

  private void follow(String name) throws IOException, FormatException {
    JsonNode truth =
        JsonMapper.shared().readTree(TestData.file("failures/" + name + "/truth.json"));
    String own = truth.path("settings").asString();
    Map<String, Object> device =
        Map.of(
            "name",
            name,
            "totalBytes",
            truth.path("totalBytes").asLong(),
            "othersBytes",
            truth.path("othersBytes").asLong());
    Path pickle = folder.resolve(name + ".pickle");
    JsonNode failed = torch.runFailing(own, with(device, "snapshot", pickle.toString()));
    Snapshot snapshot;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(pickle))) {
      snapshot = TorchPickleReader.read(in, ReadLimits.defaults());
    }
    RecordedRun run =
        RecordedRun.of(snapshot, snapshot.devices().getFirst())
            .withSteps(steps(snapshot.devices().getFirst().trace(), failed));
    DeviceSize size =
        DeviceSize.of(truth.path("totalBytes").asLong(), truth.path("othersBytes").asLong());

    for (String added : SETTINGS) {
      if (added.equals(own)) {
        continue;
      }
      String settings =
          Stream.of(own, added).filter(text -> !text.isEmpty()).collect(Collectors.joining(","));
      compare(
          name,
          "`" + settings + "`",
          Replay.run(run, new Variant.Caching(settings), size, new Progress()),
          isPast(torch.runFailing(settings, device), failed));
    }
    compare(
        name,
        "`torch.cuda.empty_cache()` after each step",
        Replay.run(run, new Variant.Caching(own, EmptyCache.EACH_STEP), size, new Progress()),
        isPast(torch.runFailing(own, with(device, "emptyCacheEachStep", true)), failed));
  }

  private static Map<String, Object> with(Map<String, Object> job, String key, Object value) {
    return Stream.concat(job.entrySet().stream(), Stream.of(Map.entry(key, value)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** The events of the first allocation of each step but the first. */
  private static int[] steps(Trace trace, JsonNode failed) {
    int[] starts = new int[failed.path("allocationsAtStepEnd").size()];
    Arrays.fill(starts, trace.size());
    int allocations = 0;
    int step = 0;
    for (int event = 0; event < trace.size(); event++) {
      if (trace.action(event) == TraceAction.ALLOC || trace.action(event) == TraceAction.OOM) {
        while (step < starts.length
            && failed.path("allocationsAtStepEnd").path(step).asInt() <= allocations) {
          starts[step++] = event;
        }
        allocations++;
      }
    }
    return Arrays.copyOf(starts, step);
  }

  /** Whether a run got past the request that failed: the requests are the same in both. */
  private static boolean isPast(JsonNode again, JsonNode failed) {
    JsonNode failure = again.path("failures").path(0);
    return failure.isMissingNode()
        || failure.path("allocations").asLong()
            > failed.path("failures").path(0).path("allocations").asLong();
  }

  private void compare(String program, String change, Outcome replayed, boolean isPast) {
    if (replayed.fits()) {
      fitting++;
    }
    if (replayed.fits() != isPast) {
      wrong.add(program + " " + change + ": " + replayed + ", but the program: " + isPast);
    }
    outcomes.add(
        String.format(
            Locale.ROOT,
            "| %s | %s | %s, %s reserved, %,d driver calls | %s |",
            program,
            change,
            replayed.fits() ? "fits" : "fails",
            ByteText.of(replayed.peakReservedBytes()),
            replayed.driverCalls(),
            isPast ? "gets past the failure" : "fails again"));
  }

  private void writeTable() throws IOException {
    String page = Files.readString(TABLE);
    Files.writeString(
        TABLE,
        page.substring(0, page.indexOf(HEADING))
            + HEADING
            + String.format(
                Locale.ROOT,
                "%n%d programs, %d runs: the replay and the program agree in %d.%n%n",
                PROGRAMS.size(),
                outcomes.size(),
                outcomes.size() - wrong.size())
            + "| program | change | replay of the recording | the program itself |\n"
            + "|---|---|---|---|\n"
            + String.join("\n", outcomes)
            + "\n");
  }
}
