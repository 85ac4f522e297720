package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import dev.vramscope.TestData;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is found out about a failure after its upload, before anybody asks. */
class FailureAnswersIT extends InBrowser {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final long MIB = 1 << 20;
  private static final int SEGMENTS = 8;

  /** More than a page replays at once. */
  private static final int EVENTS_BEFORE = 60_000;

  private static String upload(byte[] file, String name) {
    HttpResponse<byte[]> response = server.post("/api/v1/snapshots?name=" + name, file);
    assertThat(response.statusCode()).isEqualTo(201);
    return Json.of(response).path("id").asString();
  }

  private static JsonNode answer(String id) {
    return Json.of(server.get("/api/v1/snapshots/" + id)).path("answer");
  }

  private static JsonNode awaitAnswer(String id) {
    await().atMost(SOON).until(() -> answer(id).isObject());
    return answer(id);
  }

  private static byte[] file(String folder) throws IOException {
    return Files.readAllBytes(TestData.file("hf/" + folder + "/snapshot.pickle.gz"));
  }

  @Test
  void theListHasTheCauseAndTheAdvice() throws IOException {
    String id = upload(file("running_loss_graph"), "running");
    JsonNode answer = awaitAnswer(id);
    assertThat(answer.path("cause").asString()).isEqualTo("live memory that grows step by step");
    assertThat(answer.path("advice").asString()).contains(".item()");
    go("/snapshots?q=running");
    assertThat(page.locator(".snapshots .answer").innerText())
        .startsWith("Live memory that grows step by step. ")
        .contains(answer.path("advice").asString());
    go("/");
    assertThat(page.locator(".snapshots .answer").allInnerTexts())
        .anyMatch(text -> text.contains(".item()"));
    assertThat(consoleErrors).isEmpty();
  }

  /** Without the size of the device the cause is undecided; a text that has it decides. */
  @Test
  void attachedTextsChangeTheAnswer() throws IOException {
    String id = upload(file("external_process"), "external");
    String cause = awaitAnswer(id).path("cause").asString();
    assertThat(cause).contains(" or memory outside this allocator");
    String message =
        "CUDA out of memory. Tried to allocate 126.00 MiB. GPU 0 has a total capacity of 16.00 GiB"
            + " of which 72.00 MiB is free. Of the allocated memory 7.76 GiB is allocated by"
            + " PyTorch, and 178.86 MiB is reserved by PyTorch but unallocated.";
    HttpResponse<byte[]> attached =
        server.post(
            "/api/v1/snapshots/" + id + "/evidence",
            message.getBytes(StandardCharsets.UTF_8),
            "Content-Type",
            "text/plain");
    assertThat(attached.statusCode()).isEqualTo(201);
    await()
        .atMost(SOON)
        .until(() -> answer(id).path("cause").asString().equals("memory outside this allocator"));
  }

  @Test
  void withoutAFailureThereIsNoAnswer() throws IOException {
    String id = upload(file("healthy_generate"), "healthy");
    go("/snapshots/" + id);
    assertThat(answer(id).isNull()).isTrue();
  }

  /** The page of a long recording, opened before its replays have ended. */
  @Test
  void theFirstScreenIsCompletedInPlace() {
    String id = upload(longRun(), "long");
    go("/snapshots/" + id);
    Locator explanation = page.locator("#explanation");
    explanation.locator("text=expandable_segments:True").first().waitFor();
    assertThat(explanation.locator("[data-replays]").count()).isZero();
    assertThat(explanation.innerText())
        .contains("In a replay with it, this request, the last of the recording, is served")
        .doesNotContain("A setting may solve this");
    assertThat(awaitAnswer(id).path("advice").asString()).contains("expandable_segments:True");
    assertThat(consoleErrors).isEmpty();
  }

  /** In the end each segment has a free piece of 8 MiB, and 16 MiB is asked for. */
  private static byte[] longRun() {
    Events events = new Events();
    StringJoiner segments = new StringJoiner(",");
    for (int i = 0; i < SEGMENTS; i++) {
      events.add("segment_alloc", address(i), 20 * MIB);
      events.add("alloc", address(i), 20 * MIB);
    }
    for (int i = 0; i < SEGMENTS; i++) {
      events.addFree(address(i), 20 * MIB);
    }
    for (int i = 0; i < EVENTS_BEFORE / 3; i++) {
      events.add("alloc", address(0), 12 * MIB);
      events.addFree(address(0), 12 * MIB);
    }
    for (int i = 0; i < SEGMENTS; i++) {
      events.add("alloc", address(i), 12 * MIB);
      segments.add(segment(address(i), 20 * MIB, 12 * MIB));
    }
    events.addFailure(16 * MIB, 2 * MIB);
    return ("{\"segments\":[" + segments + "],\"device_traces\":[[" + events + "]]}")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static long address(int segment) {
    return 0x7f0000000000L + segment * 64 * MIB;
  }

  private static String segment(long address, long bytes, long used) {
    return """
    {"device":0,"address":%1$d,"total_size":%2$d,"allocated_size":%3$d,"active_size":%3$d,
     "requested_size":%3$d,"stream":0,"segment_type":"large","segment_pool_id":[0,0],
     "is_expandable":false,"blocks":[
       {"address":%1$d,"size":%3$d,"requested_size":%3$d,"state":"active_allocated"},
       {"address":%4$d,"size":%5$d,"requested_size":0,"state":"inactive"}]}\
    """
        .formatted(address, bytes, used, address + used, bytes - used);
  }

  private static final class Events {
    private final StringJoiner events = new StringJoiner(",");
    private long micros = 1_700_000_000_000_000L;

    private void add(String action, long address, long bytes) {
      events.add(
          """
          {"action":"%s","addr":%d,"size":%d,"stream":0,"time_us":%d,
           "frames":[{"name":"forward","filename":"train.py","line":7}]}\
          """
              .formatted(action, address, bytes, micros += 10));
    }

    private void addFree(long address, long bytes) {
      add("free_requested", address, bytes);
      add("free_completed", address, bytes);
    }

    private void addFailure(long bytes, long deviceFree) {
      events.add(
          """
          {"action":"oom","device_free":%d,"size":%d,"stream":0,"time_us":%d,
           "frames":[{"name":"forward","filename":"train.py","line":9}]}\
          """
              .formatted(deviceFree, bytes, micros += 10));
    }

    @Override
    public String toString() {
      return events.toString();
    }
  }
}
