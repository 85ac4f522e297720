package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.device.cuda.CudaDriver;
import dev.vramscope.device.cuda.CudaEmulator;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The live page of {@code cuda:0}, over the emulated driver with other processes on the device. */
class LiveOnEmulatorIT {
  private static final long MIB = 1L << 20;
  private static final long CONTEXT_BYTES = 500 * MIB;
  private static final long OTHERS_BYTES = 1000 * MIB;

  @SuppressWarnings("NullAway.Init")
  private static ChildServer server;

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    Assumptions.assumeTrue(
        Files.exists(CudaEmulator.LIBRARY),
        () -> "skipped: no emulated driver at " + CudaEmulator.LIBRARY + "; run script/native");
    server =
        ChildServer.start(
            List.of(),
            Map.of(
                CudaDriver.LIBRARY_VARIABLE,
                CudaEmulator.LIBRARY.toString(),
                "VRAMSCOPE_EMULATOR_PROCESSES",
                "self:" + CONTEXT_BYTES + ",4242:" + OTHERS_BYTES,
                "VRAMSCOPE_EMULATOR_EXTERNAL",
                String.valueOf(CONTEXT_BYTES + OTHERS_BYTES)));
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void ledgerShowsTheDriversViewOfAllProcesses() throws Exception {
    String other = hosted();
    allocate(other, 30 * MIB);
    String hosted = hosted();
    allocate(hosted, 40 * MIB);

    String page = page(hosted);
    assertThat(bytes(page, "<dt>Outside the allocator: CUDA context</dt>"))
        .isEqualTo(CONTEXT_BYTES);
    assertThat(bytes(page, "<dt>Outside: libraries in this process</dt>")).isZero();
    assertThat(bytes(page, "<dt>Outside: other hosted allocators</dt>")).isEqualTo(30 * MIB);
    assertThat(bytes(page, "<dt>Difference between driver counters</dt>")).isZero();
    assertThat(bytes(page, ">Other processes</a></th>")).isEqualTo(OTHERS_BYTES);
    assertThat(bytes(page, ">Outside the allocator, this process</a></th>"))
        .isEqualTo(CONTEXT_BYTES + 30 * MIB);
    assertThat(page).doesNotContain("A simulated device has no CUDA context");
    send(HttpRequest.newBuilder(server.at(hosted)).DELETE());
    send(HttpRequest.newBuilder(server.at(other)).DELETE());
  }

  @Test
  void runWithKernelsReportsCompleteChecks() throws Exception {
    String hosted = hosted();
    post(hosted + "/workloads", "{\"workload\":\"leak\",\"steps\":2,\"scale\":0.01}");
    String page = page(hosted);
    assertThat(page).contains("class=\"run-state").doesNotContain("Partial checks");
    send(HttpRequest.newBuilder(server.at(hosted)).DELETE());
  }

  private String page(String hosted) throws Exception {
    String address = hosted.replace("/api/v1/allocators", "/live");
    return PageText.ofPage(send(HttpRequest.newBuilder(server.at(address))).body());
  }

  /** The byte count that follows a label. */
  private static long bytes(String page, String label) {
    assertThat(page).contains(label);
    Matcher value =
        Pattern.compile("value=\"(-?\\d+)\"").matcher(page.substring(page.indexOf(label)));
    assertThat(value.find()).isTrue();
    return Long.parseLong(value.group(1));
  }

  /** The URL of a new allocator on the emulated GPU. */
  private String hosted() throws Exception {
    return post("/api/v1/allocators", "{\"device\":\"cuda:0\"}")
        .headers()
        .firstValue("Location")
        .orElseThrow();
  }

  private void allocate(String hosted, long bytes) throws Exception {
    post(hosted + "/blocks", "{\"bytes\":" + bytes + "}");
  }

  private HttpResponse<String> post(String path, String json) throws Exception {
    URI address = server.at(path);
    HttpResponse<String> answer =
        send(
            HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return answer;
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
