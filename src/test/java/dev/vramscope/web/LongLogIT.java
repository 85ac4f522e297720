package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A log of more than 100 MB whose middle holds the failure, explained and stored in a small heap.
 */
class LongLogIT {
  private static final int LINES = 1_400_000;

  /** The budget on a quiet machine is 5 s, of which the first log of a process takes most. */
  private static final long MOST_MILLIS = 20_000;

  @TempDir private Path folder;

  private Path log(int failingLine) throws IOException {
    Path file = folder.resolve("train" + failingLine + ".log");
    try (Writer out = Files.newBufferedWriter(file)) {
      for (int i = 1; i <= LINES; i++) {
        out.write(
            i == failingLine
                ? "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0"
                    + " has a total capacity of 16.00 GiB of which 1.00 GiB is free. Of the"
                    + " allocated memory 14.00 GiB is allocated by PyTorch, and 512.00 MiB is"
                    + " reserved by PyTorch but unallocated.\n"
                : "2026-01-02 03:04:05,678 INFO [trainer.py:17] step "
                    + i
                    + " loss 0.123 lr 1e-4\n");
      }
    }
    assertThat(Files.size(file)).isGreaterThan(90_000_000);
    return file;
  }

  @Test
  void aLongLogIsExplainedAndStoredInTime() throws Exception {
    try (ChildServer server = ChildServer.start(List.of("-Xmx512m"));
        HttpClient client = HttpClient.newHttpClient()) {
      for (int failingLine : new int[] {LINES / 2, LINES / 3, LINES / 2}) {
        Path file = log(failingLine);
        long start = System.nanoTime();
        HttpResponse<String> answer =
            client.send(
                HttpRequest.newBuilder(server.at("/api/v1/explain"))
                    .header("Accept", "application/json")
                    .POST(BodyPublishers.ofFile(file))
                    .build(),
                BodyHandlers.ofString());
        long millis = (System.nanoTime() - start) / 1_000_000;
        System.out.printf(Locale.ROOT, "P3: %d bytes in %d ms%n", Files.size(file), millis);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(millis).isLessThan(MOST_MILLIS);
        JsonNode explained = Json.of(answer.body());
        assertThat(explained.path("findings").path(0).path("headline").asString())
            .contains("4.00 GiB");
        assertThat(explained.path("findings").path(0).path("line").asInt()).isEqualTo(failingLine);
        assertThat(explained.has("notStored")).isFalse();
        HttpResponse<String> page =
            client.send(
                HttpRequest.newBuilder(server.at("/logs/" + explained.path("id").asString()))
                    .build(),
                BodyHandlers.ofString());
        assertThat(page.body()).contains("2.5 GiB less than the request");
      }
      assertThat(server.log()).doesNotContain("OutOfMemoryError: Java");
    }
  }
}
