package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Two snapshots compared, as a page and over REST. */
class CompareIT extends OnSnapshotShapes {
  private static String program(String name) throws IOException {
    byte[] file = Files.readAllBytes(TestData.file("programs/" + name + "/snapshot.pickle.gz"));
    return Json.of(server.post("/api/v1/snapshots?name=" + name, file)).path("id").asString();
  }

  private static JsonNode diff(String id, String query) {
    HttpResponse<byte[]> answer = server.get("/api/v1/snapshots/" + id + "/diff?" + query);
    assertThat(answer.statusCode()).as(query).isEqualTo(200);
    return Json.of(answer);
  }

  private static String shape(String name) {
    return String.valueOf(shapes.get(name));
  }

  /** A page, which the server answers with this status. */
  private static String page(String path, int status) {
    HttpResponse<byte[]> answer = server.get(path, "Accept", "text/html");
    String page = PageText.of(answer);
    assertThat(answer.statusCode()).as(path + "\n" + page).isEqualTo(status);
    return page;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&at=end", "&at=end&otherAt=peak", "&at=500&otherAt=900"})
  void differencesAddUpToThatOfTheDevices(String moments) throws IOException {
    String first = program("train_fixed");
    JsonNode diff = diff(first, "other=" + program("train_varying") + moments);
    long difference =
        diff.at("/after/activeBytes").asLong() - diff.at("/before/activeBytes").asLong();
    assertThat(diff.path("differenceBytes").asLong()).isEqualTo(difference);
    for (String by : new String[] {"sites", "stacks"}) {
      long sum = 0;
      for (JsonNode group : diff.path(by)) {
        sum += group.path("differenceBytes").asLong();
        assertThat(group.path("rows").size()).isLessThanOrEqualTo(200);
        long rows = group.path("otherDifferenceBytes").asLong();
        for (JsonNode row : group.path("rows")) {
          rows += row.path("differenceBytes").asLong();
        }
        assertThat(rows).isEqualTo(group.path("differenceBytes").asLong());
      }
      assertThat(sum).as(by).isEqualTo(difference);
    }
    JsonNode sites = Json.of(server.get("/api/v1/snapshots/" + first + "/sites?limit=1"));
    if (moments.isEmpty()) {
      assertThat(diff.at("/before/activeBytes").asLong())
          .isEqualTo(sites.path("peakBytes").asLong());
    }
  }

  @Test
  void sidesAreSwapped() throws IOException {
    String first = program("train_fixed");
    String second = program("train_varying");
    JsonNode diff = diff(first, "other=" + second);
    JsonNode swapped = diff(second, "other=" + first);
    assertThat(swapped.path("before")).isEqualTo(diff.path("after"));
    assertThat(swapped.path("differenceBytes").asLong())
        .isEqualTo(-diff.path("differenceBytes").asLong());
    assertThat(swapped.at("/sites/0/count")).as("added").isEqualTo(diff.at("/sites/3/count"));
    assertThat(swapped.at("/stacks/1/count")).as("grown").isEqualTo(diff.at("/stacks/2/count"));
  }

  @Test
  void answerNamesTheSiteThatHoldsMost() throws IOException {
    String page =
        page("/compare?a=" + program("train_fixed") + "&b=" + program("train_varying"), 200);
    String answer = page.substring(page.indexOf("class=\"compare-answer\""));
    assertThat(answer.substring(0, answer.indexOf("</p>")).replaceAll("<[^>]*>", ""))
        .endsWith(
            "B holds 5.25 GiB more at its peak than A. 11 sites hold 6.06 GiB more, the most of"
                + " them forward programs.py:14: 3 GiB, with 12 allocations in both, of other"
                + " sizes. train_fixed programs.py:37 holds 826.43 MiB less, with no allocation"
                + " instead of 124.");
    assertThat(page)
        .contains("What B holds more and less", "train_varying", "26 settings with the same value")
        .contains("class=\"curve-a\"", "class=\"curve-b\"");
  }

  @Test
  void everyRowIsReachedInDirectionsOfTheDifference() throws IOException {
    String path = "/compare?a=" + program("train_fixed") + "&b=" + program("train_varying");
    String more = page(path + "&show=more", 200);
    assertThat(more).contains("11 hold more", "1 hold less").doesNotContain(">removed</td>");
    assertThat(page(path + "&show=less", 200)).contains(">removed</td>");
    assertThat(page(path + "&offset=-1", 400)).contains("offset is -1");

    String many = "/compare?a=" + shape(SampleFiles.FRAGMENTED) + "&b=" + shape("no-trace");
    assertThat(page(many, 200)).contains("1 to 50 of ", "offset=50");
    assertThat(page(many + "&offset=50", 200)).contains("51 to ");
    assertThat(page(many + "&offset=99999", 200)).contains("rel=\"prev\"");
  }

  @Test
  void oneSnapshotIsComparedAtTwoEvents() throws IOException {
    String id = program("keeps_losses");
    String page = page("/compare?a=" + id + "&b=" + id + "&at=1000&otherAt=5000", 200);
    assertThat(page)
        .contains("One snapshot at two moments", "After event 5,000, the program holds ")
        .contains(" more than after event 1,000; ");
    JsonNode diff = diff(id, "at=1000&otherAt=5000");
    assertThat(diff.at("/before/event").asInt()).isEqualTo(1000);
    assertThat(diff.at("/after/snapshot").asString()).isEqualTo(id);
    assertThat(diff(id, "").at("/after/at").asString()).isEqualTo("end");
    assertThat(page("/compare?a=" + id + "&b=" + id, 200)).contains("than at its peak");
  }

  @Test
  void everyPairOfShapesHasAPage() {
    for (String first : List.copyOf(shapes.values())) {
      for (String second : shapes.values()) {
        for (String query : new String[] {"", "&at=end&by=stacks&axis=time&show=grown"}) {
          String page = page("/compare?a=" + first + "&b=" + second + query, 200);
          assertThat(page).contains("compare-answer").doesNotContain("NaN", "Infinity");
        }
        diff(first, "other=" + second);
      }
    }
  }

  @Test
  void deviceWithoutEventsIsComparedAtTheEnd() {
    String page = page("/compare?a=" + shape("no-trace") + "&b=" + shape("no-stacks"), 200);
    assertThat(page).contains("no events", "A at the end");
    JsonNode side = diff(shape("no-trace"), "other=" + shape("no-stacks")).path("before");
    assertThat(side.path("at").asString()).isEqualTo("end");
    assertThat(side.path("event").isNull()).isTrue();
    assertThat(side.path("peakBytes").isNull()).isTrue();
    String devices = "/compare?a=" + shape("two-devices") + "&b=" + shape("two-devices");
    assertThat(page(devices + "&deviceA=0&deviceB=1", 200)).contains("Two devices compared");
  }

  @ParameterizedTest
  @CsvSource({
    "at=99999, 'at is 99999', 'peak, end, or an event of device 0, 0 to 8'",
    "otherAt=yesterday, 'otherAt is yesterday', 'peak, end, or an event of device 0, 0 to 8'",
    "device=7, 'has no device 7', 'Its devices: 0.'",
    "otherDevice=7, 'has no device 7', 'Its devices: 0.'"
  })
  void wrongParameterIsNamedWithWhatIsAllowed(String query, String what, String next) {
    String id = shape("no-stacks");
    HttpResponse<byte[]> answer =
        server.get("/api/v1/snapshots/" + id + "/diff?other=" + id + "&" + query);
    assertThat(answer.statusCode()).isBetween(400, 404);
    assertThat(PageText.of(answer)).contains(what, next);
  }

  @Test
  void pageOfAWrongChoiceSaysWhatToDo() {
    String id = shape("no-stacks");
    assertThat(page("/compare", 400))
        .contains("No snapshot is selected", "Select exactly two snapshots", "/snapshots");
    assertThat(page("/compare?id=" + id, 400)).contains("One snapshot is selected");
    assertThat(page("/compare?id=" + id + "&id=" + id, 400)).contains("One snapshot is selected");
    assertThat(page("/compare?id=a&id=b&id=c", 400)).contains("3 snapshots are selected");
    assertThat(page("/compare?a=" + id + "&b=0123456789abcdef", 404)).contains("There is no");
    assertThat(page("/compare?a=0123456789abcdef", 404)).contains("It may have been deleted");
    assertThat(page("/compare?a=" + id + "&b=" + id + "&by=colour", 400)).contains("sites, stacks");
    assertThat(server.get("/api/v1/snapshots/" + id + "/diff?other=none").statusCode())
        .isEqualTo(404);
  }

  @Test
  void selectedSnapshotsAreOrderedByUpload() {
    String older = shape("no-trace");
    String newer = shape("no-stacks");
    HttpResponse<byte[]> answer = server.get("/compare?id=" + newer + "&id=" + older);
    assertThat(answer.headers().firstValue("Location"))
        .hasValue("/compare?a=" + older + "&b=" + newer);
  }

  @Test
  void otherSnapshotIsChosenOnAPage() {
    String id = shape(SampleFiles.HEALTHY);
    assertThat(page("/snapshots/" + id, 200)).contains("href=\"/compare?a=" + id + "\"");
    assertThat(page("/compare?a=" + id, 200))
        .contains("Other snapshots of shapes", "Itself at another moment")
        .contains("/compare?a=" + id + "&amp;b=" + shape("no-trace"))
        .contains("/compare?a=" + id + "&amp;b=" + shape("live"));
    assertThat(page("/compare?a=" + id + "&q=no-trace", 200))
        .contains("b=" + shape("no-trace"))
        .doesNotContain("b=" + shape("no-stacks"));
    assertThat(page("/compare?a=" + id + "&q=zzz", 200)).contains("No other snapshot matches");
  }

  @Test
  void flameGraphHasTheBytesOfBothSides() throws IOException {
    String first = program("train_fixed");
    String query = "?other=" + program("train_varying") + "&frames=all";
    JsonNode diff = diff(first, query.substring(1));
    JsonNode flame = Json.of(server.get("/api/v1/snapshots/" + first + "/diff/flame" + query));
    JsonNode nodes = flame.path("nodes");
    assertThat(nodes.at("/before/0")).isEqualTo(diff.at("/before/activeBytes"));
    assertThat(nodes.at("/after/0")).isEqualTo(diff.at("/after/activeBytes"));
    int number = flame.at("/frames/0/number").asInt();
    JsonNode below =
        Json.of(
            server.get("/api/v1/snapshots/" + first + "/diff/flame" + query + "&path=" + number));
    assertThat(below.at("/nodes/after/0")).isEqualTo(nodes.at("/after/1"));
    assertThat(server.get("/api/v1/snapshots/" + first + "/diff/flame?frames=x").statusCode())
        .isEqualTo(400);
    assertThat(page("/compare?a=" + first + "&b=" + program("train_varying"), 200))
        .contains("data-flame-diff");
  }
}
