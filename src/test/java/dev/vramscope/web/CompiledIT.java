package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.TestData;
import dev.vramscope.format.hlo.CompiledTexts;
import dev.vramscope.web.snapshot.Tab;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Compiled programs are uploaded, listed, opened and kept like snapshots. */
class CompiledIT {
  private static final String SNAPSHOTS = "/api/v1/snapshots";
  private static final String STEP = "xla/jax_xla_dump_jit_step";

  @TempDir private Path folder;

  private static byte[] zip(List<Path> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Path file : files) {
        zip.putNextEntry(new ZipEntry("dump/" + file.getFileName()));
        Files.copy(file, zip);
      }
    }
    return bytes.toByteArray();
  }

  private static String upload(LocalServer server, String query, byte[] file) {
    HttpResponse<byte[]> answer = server.post(SNAPSHOTS + query, file);
    assertThat(answer.statusCode()).as(PageText.of(answer)).isIn(200, 201);
    return Json.of(answer).path("id").asString();
  }

  private static JsonNode truth(String path) throws IOException {
    return Json.of(Files.readString(TestData.file(path)));
  }

  @Test
  void aDumpFolderIsOneUpload() throws IOException {
    JsonNode truth = truth(STEP + "/truth.json");
    byte[] zip = zip(TestData.files(STEP));
    try (LocalServer server = LocalServer.startIn(folder)) {
      String id = upload(server, "?name=step&job=llama", zip);
      JsonNode program = Json.of(server.get("/api/v1/compiled/" + id)).at("/programs/0");
      assertThat(program.path("totalBytes").asLong()).isEqualTo(truth.path("total_bytes").asLong());
      assertThat(program.at("/peak/bytes").asLong())
          .isEqualTo(truth.at("/live_range_peak/bytes").asLong());
      assertThat(server.text("/compiled/" + id))
          .contains("Packing map", "By operation", "By line of code", "Donated", "llama");
      assertThat(server.text("/snapshots?job=llama")).contains("/compiled/" + id);
      HttpResponse<byte[]> overview = server.get("/snapshots/" + id, "Accept", "text/html");
      assertThat(overview.headers().firstValue("Location").orElse("")).endsWith("/compiled/" + id);
      String original = server.text(SNAPSHOTS + "/" + id + "/original");
      assertThat(upload(server, "", original.getBytes(StandardCharsets.UTF_8))).isEqualTo(id);
      assertThat(server.text("/snapshots/delete?id=" + id))
          .contains("Delete this compiled program?");
      for (Tab tab : Tab.values()) {
        if (tab != Tab.OVERVIEW) {
          HttpResponse<byte[]> page =
              server.get("/snapshots/" + id + tab.path(), "Accept", "text/html");
          assertThat(page.statusCode()).as(tab.path()).isEqualTo(404);
          assertThat(PageText.of(page)).contains("is a compiled program, not a snapshot");
        }
      }
    }
    withoutDatabase();
    try (LocalServer server = LocalServer.startIn(folder)) {
      String id = upload(server, "", zip);
      await("the rows are rebuilt")
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(server.text("/compiled/" + id)).contains("llama"));
      assertThat(server.delete(SNAPSHOTS + "/" + id).statusCode()).isEqualTo(204);
      assertThat(server.get("/compiled/" + id).statusCode()).isEqualTo(404);
    }
  }

  private void withoutDatabase() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".mv.db")).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void whatIsMissingOrWrongIsSaid() throws IOException {
    Path assignment =
        TestData.file(STEP + "/module_0150.jit_step.cpu_after_optimizations-buffer-assignment.txt");
    String text = Files.readString(assignment);
    try (LocalServer server = LocalServer.start()) {
      String alone = upload(server, "", text.getBytes(StandardCharsets.UTF_8));
      assertThat(server.text("/compiled/" + alone))
          .contains("What other files would add", "live-range.txt", "37 MiB")
          .doesNotContain("Packing map", "Live at the peak", "CUDA", "PyTorch");
      String cut = upload(server, "", text.substring(0, 5000).getBytes(StandardCharsets.UTF_8));
      assertThat(server.text("/compiled/" + cut)).contains("ends early");
      HttpResponse<byte[]> broken =
          server.post(
              SNAPSHOTS,
              text.replaceFirst("size 512000", "size 5").getBytes(StandardCharsets.UTF_8));
      assertThat(broken.statusCode()).isEqualTo(422);
      assertThat(PageText.of(broken)).contains("allocation 0", "line 3");
      String log = server.upload(SampleFiles.HEALTHY);
      assertThat(server.get("/api/v1/compiled/" + log).statusCode()).isEqualTo(404);
      assertThat(server.get("/compiled/" + alone + "?program=7").statusCode()).isEqualTo(400);
    }
  }

  @Test
  void variantsOfOneTextAreCompared() throws IOException {
    JsonNode truth = truth("xla/jax_remat_scan/truth.json");
    long grad = truth.at("/temp/scan_grad").asLong();
    long saved = grad - truth.at("/temp/scan_grad_remat").asLong();
    try (LocalServer server = LocalServer.start()) {
      String id =
          upload(
              server,
              "",
              Files.readAllBytes(TestData.file("xla/jax_remat_scan/memory_analysis.txt")));
      assertThat(server.text("/compiled/" + id))
          .contains(
              String.format(Locale.ROOT, "%,d B", saved),
              "16,859,140 → 25,231,366",
              "is not the peak");
      String address = "/compiled/compare?a=" + id + "&p=1&b=" + id + "&q=2";
      assertThat(server.text(address))
          .contains("scan_grad_remat needs", String.format(Locale.ROOT, "%,d B", saved));
      JsonNode answer = Json.of(server.get("/api/v1" + address));
      assertThat(answer.path("uses").toString()).contains(String.valueOf(-saved));
      HttpResponse<byte[]> redirect =
          server.get("/compare?a=" + id + "&b=" + id, "Accept", "text/html");
      assertThat(redirect.headers().firstValue("Location").orElse(""))
          .contains("/compiled/compare?a=" + id);
      assertThat(server.get(address.replace("q=2", "q=9")).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void aHundredThousandValuesOpenInTime() {
    try (LocalServer server = LocalServer.start()) {
      String id = upload(server, "", CompiledTexts.large(100_000).getBytes(StandardCharsets.UTF_8));
      long start = System.nanoTime();
      String page = server.text("/compiled/" + id);
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertThat(page).contains("Packing map").hasSizeLessThan(4_000_000);
      assertThat(millis).as("also on a busy machine").isLessThan(20_000);
    }
  }

  @Test
  void programsOfOneFunctionPlanOtherSizes() throws IOException {
    List<Path> files =
        TestData.files("xla/jax_sizes").stream()
            .filter(file -> file.toString().matches(".*attention_batch(4|8|16)\\..*"))
            .toList();
    try (LocalServer server = LocalServer.startIn(folder)) {
      String id = upload(server, "?name=attention", zip(files));
      assertThat(server.text("/compiled/" + id)).contains("/compiled/plan?program=" + id);
      String query = "/compiled/plan?program=" + id + "&at=32,64&memory=100MiB&others=10MiB";
      assertThat(server.text(query))
          .contains(
              "The largest batch that fits 100 MiB of which others hold 10 MiB is",
              "Batch 32 needs about 38.14 MiB",
              "each buffer grows as its shape does",
              "extrapolated (2× the largest program): likely",
              "Not checked: whether the compiler fuses",
              "75 % of the device");
      JsonNode answer = Json.of(server.get("/api/v1" + query));
      assertThat(answer.path("name").asString()).isEqualTo("batch");
      assertThat(answer.at("/at/0/bytes/bytes").asLong()).isBetween(39_993_500L, 39_993_600L);
      assertThat(answer.at("/at/0/certainty").asString()).isEqualTo("likely");
      assertThat(answer.at("/largest/value").asLong()).isBetween(64L, 127L);
      assertThat(answer.at("/programs/0/value").asLong()).isEqualTo(4);
      // Values as they are entered, one program left out.
      String entered =
          "/compiled/plan?name=b&program=%1$s:0&value=16&program=%1$s:1&value=&program=%1$s:2&value=4"
              .formatted(id);
      assertThat(server.text(entered)).contains("B 32 needs about", "left out");
      assertThat(Json.of(server.get("/api/v1" + entered)).path("programs")).hasSize(2);
    }
  }

  @Test
  void sumsPlanToo() throws IOException {
    byte[] mlp = Files.readAllBytes(TestData.file("xla/jax_sizes/mlp_batch.txt"));
    byte[] scan = Files.readAllBytes(TestData.file("xla/jax_remat_scan/memory_analysis.txt"));
    try (LocalServer server = LocalServer.start()) {
      String id = upload(server, "", mlp);
      assertThat(server.text("/compiled/compare?a=" + id + "&b=" + id + "&q=1"))
          .contains("/compiled/plan?program=" + id + ":0&amp;program=" + id + ":1");
      assertThat(server.text("/compiled/plan?program=" + id))
          .contains("Batch 512 needs about", "a line", "leaves constants");
      String other = upload(server, "", scan);
      assertThat(server.text("/compiled/plan?program=" + other))
          .contains("Choose two or more programs", "scan_grad", "/compiled/" + id);
      String two = "/compiled/plan?program=" + other + ":0&program=" + other + ":1";
      assertThat(server.text(two)).contains("What are these programs?").doesNotContain("Batch ");
      assertThat(server.text(two + "&value=2&value=4"))
          .contains("differ in more than numbers", "an assumption, which nothing checks");
      refused(server, two + "&value=4&value=4", 422, "have the same value, 4");
      refused(server, two + "&value=4", 422, "Only one program has a value");
      refused(server, two + "&value=0&value=4", 400, "Allowed: whole numbers from 1 to 1000000000");
      refused(server, two + "&value=2&value=4&memory=x", 400, "memory is x");
      assertThat(server.get(two.replace(":1", ":99")).statusCode()).isEqualTo(400);
    }
  }

  private static void refused(LocalServer server, String query, int status, String why) {
    for (String path : List.of(query, "/api/v1" + query)) {
      HttpResponse<byte[]> answer = server.get(path);
      assertThat(PageText.of(answer)).contains(why);
      assertThat(answer.statusCode()).as(path).isEqualTo(status);
    }
  }
}
