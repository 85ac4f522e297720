package dev.vramscope.web;

import static dev.vramscope.web.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Plans over REST and on their page. */
class PlanIT extends OnServer {
  private static final String PATH = "/api/v1/plans";
  private static final String[] HEADERS = {"Content-Type", "application/json"};

  private static String upload(String file, String name) throws IOException {
    byte[] content = Files.readAllBytes(TestData.file(file));
    return Json.of(server.post("/api/v1/snapshots?name=" + name, content)).path("id").asString();
  }

  private static String two() throws IOException {
    return upload("scale/batch/batch2_length512.pickle.gz", "batch2_length512.pickle");
  }

  private static String three() throws IOException {
    return upload("scale/batch/batch3_length512.pickle.gz", "batch3_length512.pickle");
  }

  private static HttpResponse<byte[]> post(String json) {
    return server.post(PATH, json.getBytes(StandardCharsets.UTF_8), HEADERS);
  }

  private static String runs(String first, String second) {
    return """
    "runs": [{"snapshot": "%s", "values": {"batch": 2}},
             {"snapshot": "%s", "values": {"batch": 3}}]\
    """
        .formatted(first, second);
  }

  private static String page(String path, int status) {
    HttpResponse<byte[]> answer = server.get(path, "Accept", "text/html");
    String page = PageText.of(answer);
    assertThat(answer.statusCode()).as(path + "\n" + page).isEqualTo(status);
    return page;
  }

  @Test
  void largestBatchAndWhatItStandsOn() throws IOException {
    JsonNode plan =
        Json.of(
            post(
                "{"
                    + runs(two(), three())
                    + ", \"totalBytes\": [25769803776], \"settings\": [\"recorded\","
                    + " \"expandable_segments:True\"], \"at\": {\"batch\": 12}}"));
    assertThat(plan.at("/largest/0/value").asLong()).isEqualTo(37);
    assertThat(plan.at("/largest/1/value").asLong()).isEqualTo(39);
    // What PyTorch itself needed at batch 12.
    assertThat(plan.at("/predictions/0/peakAllocatedBytes").asLong()).isEqualTo(9_273_353_728L);
    assertThat(plan.at("/predictions/0/peakReservedBytes").asLong()).isEqualTo(10_303_307_776L);
    assertThat(plan.at("/runs/0/exact").asBoolean()).isTrue();
    assertThat(plan.at("/basis/reach").asString()).isEqualTo("extrapolated");
    assertThat(plan.at("/basis/hasSteadyStep").asBoolean()).isTrue();
    assertThat(plan.at("/basis/unalignedOperations").asInt()).isZero();
    long sum = 0;
    for (JsonNode site : plan.path("sites")) {
      sum += site.path("atBytes").asLong();
    }
    assertThat(sum).isEqualTo(plan.at("/total/atBytes").asLong()).isPositive();
  }

  @Test
  void differentProgramsPartAtAnEvent() throws IOException {
    String other = upload("failures/leak_losses/snapshot.pickle.gz", "leak");
    assertProblem(
        post("{" + runs(two(), other) + "}"), 422, "They part at event 1 (allocates 125 MiB");
    assertThat(page("/plan?name=batch&id=" + two() + "&value=2&id=" + other + "&value=3", 422))
        .contains("Cannot be planned", "They part at event 1", "What are these recordings?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 400 | runs is missing",
        "{RUNS, \"totalBytes\": [0]} | 400 | totalBytes contains 0",
        "{RUNS, \"totalBytes\": [10], \"othersBytes\": 10} | 400 | othersBytes is 10",
        "{RUNS, \"othersBytes\": -1} | 400 | othersBytes is -1",
        "{RUNS, \"settings\": [\"no_such_key:1\"]} | 400 | no_such_key",
        "{RUNS, \"find\": \"width\"} | 422 | no parameter 'width'",
        "{RUNS, \"at\": {\"length\": 5}} | 422 | no parameter 'length'",
        "{RUNS, \"at\": {\"batch\": 0}} | 400 | batch is 0",
        "{RUNS, \"at\": {\"batch\": null}} | 400 | at.batch is null",
      })
  void wrongMembersAreNamed(String json, int status, String message) throws IOException {
    assertProblem(post(json.replace("RUNS", runs(two(), three()))), status, message);
  }

  @Test
  void aDeletedSnapshotIsNotAnsweredFromMemory() throws IOException {
    String first = two();
    String request = "{" + runs(first, three()) + "}";
    assertThat(post(request).statusCode()).isEqualTo(200);
    assertThat(server.delete("/api/v1/snapshots/" + first).statusCode()).isEqualTo(204);
    assertProblem(post(request), 404, "There is no snapshot " + first);
  }

  @Test
  void pageAsksForTheValuesThatTheNamesSuggest() throws IOException {
    assertThat(page("/plan?id=" + two() + "&id=" + three(), 200))
        .contains("What are these recordings?", "name=\"name\" required value=\"batch\"")
        .contains("value=\"2\"", "value=\"3\"")
        .doesNotContain("compare-answer");
  }

  @Test
  void pageAnswersInASentence() throws IOException {
    String page =
        page(
            "/plan?name=batch&id="
                + two()
                + "&value=2&id="
                + three()
                + "&value=3&device=24GiB,8GiB&at=12",
            200);
    assertThat(page)
        .contains(
            "Batch 12 fits 24 GiB: it needs 9.6 GiB. The largest batch that fits 24 GiB is 37")
        .contains("class=\"curve-a settings-0\"", "class=\"device-line\"", "device, 24 GiB")
        .contains("does not grow", "Ask something else");
  }

  @Test
  void aSnapshotIsChosenOnce() throws IOException {
    String id = two();
    assertThat(page("/plan?name=batch&id=" + id + "&value=2&id=" + id + "&value=3", 400))
        .contains(id + " more than once");
  }

  @Test
  void settingsHaveLinesAndTheLargestValuesAreStacked() throws IOException {
    String page =
        page(
            "/plan?name=batch&id="
                + two()
                + "&value=2&id="
                + three()
                + "&value=3&device=24GiB&settings=recorded%0Aexpandable_segments:True",
            200);
    assertThat(page)
        .contains("class=\"curve-a settings-1\"", "class=\"stacked\"", "This is exact if");
  }

  @Test
  void pageWithoutSnapshotsOffersThoseWithATrace() throws IOException {
    String id = two();
    assertThat(page("/plan", 200)).contains("Choose two or more recordings", "value=\"" + id);
    assertThat(page("/snapshots", 200)).contains("formaction=\"/plan\"");
    assertThat(page("/compare?a=" + id + "&b=" + three(), 200)).contains("/plan?id=" + id);
  }
}
