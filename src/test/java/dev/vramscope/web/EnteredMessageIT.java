package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The size of a device from the message of a failure. */
class EnteredMessageIT extends OnServer {
  private static String query(String text) {
    return "?total=" + URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void messageOfTheFailureFillsTheSizeAndOthersAreRefused() throws IOException {
    Path folder = TestData.folder("ooms").resolve("leak_steps");
    JsonNode truth = Json.of(Files.readString(folder.resolve("truth.json")));
    String id =
        Json.of(
                server.post(
                    "/api/v1/snapshots?name=leak",
                    Files.readAllBytes(folder.resolve("snapshot.pickle.gz"))))
            .path("id")
            .asString();
    String api = "/api/v1/snapshots/" + id;
    String message = truth.path("message").asString();

    JsonNode ledger = Json.of(server.get(api + "/ledger" + query(message))).path("ledger");
    assertThat(ledger.path("totalBytes").asLong()).isEqualTo(truth.path("totalBytes").asLong());
    assertThat(server.text("/snapshots/" + id + "/budget" + query(message)))
        .contains("From the message: total capacity 16 GiB ± 5.12 MiB (rounded in the text).");

    String otherRequest = message.replace("allocate 600.00 MiB", "allocate 601.00 MiB");
    assertThat(otherRequest).isNotEqualTo(message);
    refused(id, otherRequest, "601 MiB", "600 MiB");
    refused(id, message.replace("capacity of 16.00", "capacity of 12.00"), "12 GiB", "at least ");
    refused(id, "Tried to allocate 600.00 MiB.", "no total capacity", "Paste the whole message");
  }

  private static void refused(String id, String text, String... parts) {
    var answer = server.get("/api/v1/snapshots/" + id + "/ledger" + query(text));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(PageText.of(answer)).contains(parts);
    var page = server.get("/snapshots/" + id + "/budget" + query(text));
    assertThat(page.statusCode()).isEqualTo(400);
    assertThat(PageText.of(page)).contains("Not used. ").contains(parts);
  }
}
