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
}
