package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.RealTorch;
import dev.vramscope.cli.SummaryCommand;
import dev.vramscope.cli.arguments.Arguments;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Programs of PyTorch itself, on a simulated device: our counters and tables are PyTorch's, and
 * PyTorch's tools open our exports. Skipped unless {@code script/realtorch} has built PyTorch in
 * {@code target/realtorch}, or {@code VRAMSCOPE_REALTORCH} names the folder in which to build it.
 */
class RealTorchIT {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  @SuppressWarnings("NullAway.Init")
  private static LocalServer server;

  @SuppressWarnings("NullAway.Init")
  private static RealTorch torch;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path folder;

  @BeforeAll
  static void start() throws Exception {
    torch = RealTorch.orSkip();
    server = LocalServer.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "side_stream, 6, expandable_segments:True",
    "train_varying, 16, ''",
    "keeps_losses, 2, ''",
    "private_pool, 6, max_split_size_mb:200"
  })
  void countersTablesAndExportsArePyTorchs(String program, int gibibytes, String settings)
      throws Exception {
    Path out = folder.resolve("out");
    torch.run(
        Map.of(
            "FAKE_GPU_BYTES",
            Long.toString((long) gibibytes << 30),
            "PYTORCH_CUDA_ALLOC_CONF",
            settings),
        "programs.py",
        program,
        out.toString(),
        "4");
    Path pickle = folder.resolve("out.pickle");

    JsonNode stats = Json.of(Files.readString(folder.resolve("out.stats.json")));
    assertThat(summaryVerb(folder.resolve("out.stats.json")))
        .isEqualTo(Files.readString(folder.resolve("out.txt")));

    HttpResponse<byte[]> uploaded = server.post(SNAPSHOTS, Files.readAllBytes(pickle));
    assertThat(uploaded.statusCode()).isEqualTo(201);
    String api = SNAPSHOTS + "/" + Json.of(uploaded).path("id").asString();
    assertSameCounters(Json.of(server.get(api + "/summary")), stats);

    Path exported = Files.write(folder.resolve("export"), server.get(api + "/export").body());
    List<String> opened =
        torch.run(Map.of(), "check_export.py", pickle.toString(), exported.toString());
    assertThat(opened.getLast()).matches("segments=[1-9]\\d* blocks=[1-9]\\d* events=[1-9]\\d*");
  }

  /** The number of retries and rejections is in no snapshot. */
  private static void assertSameCounters(JsonNode summary, JsonNode stats) {
    Map<String, Long> ours = new TreeMap<>();
    Map<String, Long> torchs = new TreeMap<>();
    JsonNode counters = summary.path("counters");
    for (String name : counters.propertyNames()) {
      ours.put(name, counters.path(name).asLong());
      torchs.put(name, stats.path(name).asLong(-1));
    }
    assertThat(ours).hasSizeGreaterThan(20).isEqualTo(torchs);
    assertThat(ours).containsKeys("allocated_bytes.all.current", "reserved_bytes.all.current");
  }

  private static String summaryVerb(Path stats) throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      new SummaryCommand().run(new Arguments(Map.of(), stats.toString()), out);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
