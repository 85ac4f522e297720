package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Texts that are attached to a snapshot, and what the service does with them. */
class EvidenceIT extends OnServer {
  private static final String TYPE = "application/x-www-form-urlencoded"; // As curl does.

  private record Case(String id, String message) {
    String api(String path) {
      return "/api/v1/snapshots/" + id + path;
    }
  }

  private static Case upload(String name) throws IOException {
    Path folder = TestData.folder("ooms").resolve(name);
    String message =
        Json.of(Files.readString(folder.resolve("truth.json"))).path("message").asString();
    String id =
        Json.of(server.post("/api/v1/snapshots", folder.resolve("snapshot.pickle.gz")))
            .path("id")
            .asString();
    return new Case(id, message);
  }

  private static HttpResponse<byte[]> attach(Case to, String query, byte[] text) {
    return server.post(to.api("/evidence" + query), text, "Content-Type", TYPE);
  }

  private static HttpResponse<byte[]> attach(Case to, String text) {
    return attach(to, "", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(HttpResponse<byte[]> answer) {
    return PageText.of(answer);
  }

  private static String verdict(Case of) {
    JsonNode verdict = Json.of(server.get(of.api("/oom"))).path("verdict");
    return verdict.path("cause").asString() + " " + verdict.path("certainty").asString();
  }

  @Test
  void messageFillsLedgerBudgetVerdictAndReplays() throws IOException {
    Case failure = upload("others_hold_most");
    assertThat(verdict(failure)).startsWith("TOO_MUCH_LIVE");
    assertThat(Json.of(server.get(failure.api("/ledger"))).at("/ledger/totalBytes").isNull())
        .isTrue();

    String message =
        failure.message.replace(
            "is free. ",
            "is free. Process 4711 has 11.50 GiB memory in use. Including non-PyTorch memory, this"
                + " process has 3.23 GiB memory in use. ");
    HttpResponse<byte[]> attached = attach(failure, message);
    assertThat(attached.statusCode()).isEqualTo(201);
    assertThat(attached.headers().firstValue("Location")).hasValue(failure.api("/evidence/1"));
    assertThat(text(attached)).contains("process 4711 11.5 GiB ± 5.12 MiB");
    assertThat(attach(failure, message).statusCode()).isEqualTo(201); // The same again.
    assertThat(Json.of(server.get(failure.api("/evidence"))).path("evidence")).hasSize(1);
    assertThat(Json.of(server.get(failure.api("/evidence/1"))).path("text").asString())
        .isEqualTo(message);
    assertThat(server.get(failure.api("/evidence/2")).statusCode()).isEqualTo(404);

    assertThat(verdict(failure)).isEqualTo("OUTSIDE_ALLOCATOR CERTAIN");
    JsonNode ledger = Json.of(server.get(failure.api("/ledger"))).path("ledger");
    assertThat(ledger.path("totalBytes").asLong()).isEqualTo(16L << 30);
    assertThat(ledger.path("totalSource").asString()).startsWith("From the message");
    assertThat(ledger.toString()).contains("process 4711 with 11.5 GiB");
    long sum = 0;
    for (JsonNode row : ledger.path("rows")) {
      sum += row.path("bytes").asLong();
    }
    assertThat(sum).isEqualTo(16L << 30);
    assertThat(Json.of(server.get(failure.api("/budget"))).at("/budget/totalBytes").asLong())
        .isEqualTo(16L << 30);
    for (String page : new String[] {"", "/oom", "/budget"}) {
      assertThat(server.text("/snapshots/" + failure.id + page))
          .as(page)
          .contains("What the file does not say", "PyTorch&#39;s message");
    }

    // An entered size comes first, and that is said.
    assertThat(
            Json.of(server.get(failure.api("/ledger?total=20GiB")))
                .at("/ledger/totalBytes")
                .asLong())
        .isEqualTo(20L << 30);
    assertThat(server.text("/snapshots/" + failure.id + "?total=20GiB"))
        .contains("The size of this address is used instead of that of the attached text");

    assertThat(server.delete(failure.api("/evidence/1")).statusCode()).isEqualTo(204);
    assertThat(server.delete(failure.api("/evidence/1")).statusCode()).isEqualTo(404);
    assertThat(verdict(failure)).startsWith("TOO_MUCH_LIVE");
    assertThat(Json.of(server.get(failure.api("/evidence"))).path("evidence")).isEmpty();
  }

  /** A fraction of the device is known with its size; the memory that is available is the same. */
  @Test
  void replaysAreOnTheAttachedDevice() throws IOException {
    Case failure = upload("fraction");
    byte[] request = "{\"settings\":[\"recorded\"]}".getBytes(StandardCharsets.UTF_8);
    String[] json = {"Content-Type", "application/json"};
    String whatif = failure.api("/whatif?wait=60");
    long before =
        Json.of(server.post(whatif, request, json)).at("/rows/0/peakReservedBytes").asLong();
    assertThat(attach(failure, failure.message).statusCode()).isEqualTo(201);
    JsonNode row = Json.of(server.post(whatif, request, json)).at("/rows/0");
    // Half of 16 GiB, as the program ran; before, half of what the recording proves.
    assertThat(row.path("peakReservedBytes").asLong()).isBetween(6L << 30, 8L << 30);
    assertThat(row.path("fits").asBoolean()).isFalse();
    assertThat(before).isLessThanOrEqualTo(8L << 30);
    assertThat(server.text("/snapshots/" + failure.id + "/whatif?run=no")).contains("16 GiB");
  }

  @Test
  void unsuitableTextsAreRefused() throws IOException {
    Case failure = upload("live_plain");
    refused(attach(failure, ""), "The text is empty", "Paste PyTorch's message");
    refused(attach(failure, "hello"), "says nothing about a device", "nvidia-smi");
    refused(attach(failure, "x".repeat(20_001)), "20,001 characters", "at most 20,000");
    refused(attach(failure, "x".repeat(9_000_000)), "more than 80,000 bytes", "at most 20,000");
    refused(attach(failure, "", new byte[] {'a', (byte) 0xff, (byte) 0xfe}), "not plain text");
    refused(attach(failure, "RTX 4090\u0000"), "not plain text");
    refused(
        attach(failure, failure.message.replace("2.00 GiB", "3.00 GiB")),
        "a request for 3 GiB",
        "in the recording 2 GiB",
        "from the same run");
    refused(
        attach(failure, "?device=x", "RTX 4090".getBytes(StandardCharsets.UTF_8)), "device is x");
    assertThat(
            attach(failure, "?device=4", "RTX 4090".getBytes(StandardCharsets.UTF_8)).statusCode())
        .isEqualTo(404);
    assertThat(
            server
                .post(
                    "/api/v1/snapshots/0123456789abcdef/evidence",
                    "RTX 4090".getBytes(StandardCharsets.UTF_8))
                .statusCode())
        .isEqualTo(404);
    assertThat(Json.of(server.get(failure.api("/evidence"))).path("evidence")).isEmpty();
  }

  private static void refused(HttpResponse<byte[]> answer, String... parts) {
    assertThat(answer.statusCode()).as(text(answer)).isEqualTo(400);
    assertThat(text(answer)).contains(parts);
  }

  @Test
  void nameIsAnEstimateThatIsNeverCertain() throws IOException {
    Case failure = upload("others_hold_less");
    assertThat(attach(failure, "NVIDIA A2 16GB").statusCode()).isEqualTo(201);
    assertThat(verdict(failure)).isEqualTo("OUTSIDE_ALLOCATOR LIKELY");
    JsonNode report = Json.of(server.get(failure.api("/oom")));
    assertThat(report.at("/explanation/0").asString())
        .contains("An estimated 7 GiB of the GPU's estimated 16 GiB was held outside")
        .endsWith("(likely).");
    assertThat(report.at("/remedies/0/kind").asString()).isEqualTo("free-outside");
    assertThat(report.at("/remedies/0/isEstimated").asBoolean()).isTrue();
    assertThat(Json.of(server.get(failure.api("/ledger"))).at("/ledger/totalSource").asString())
        .startsWith("Estimated: a device with the name NVIDIA A2 16GB");
    assertThat(attach(failure, failure.message).statusCode()).isEqualTo(201);
    assertThat(Json.of(server.get(failure.api("/ledger"))).at("/ledger/totalSource").asString())
        .startsWith("From the message"); // Measured comes before nominal.
    for (int number = 3; number <= 16; number++) {
      assertThat(attach(failure, "A100 " + (16 + number) + "GB").statusCode()).isEqualTo(201);
    }
    refused(attach(failure, "A100 80GB"), "has 16 texts", "Remove one");
  }
}
