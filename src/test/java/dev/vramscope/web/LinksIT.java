package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** URLs of events, allocations, blocks and sites. */
class LinksIT extends OnSnapshotShapes {
  private static String page(String shape, String path) {
    return "/snapshots/" + shapes.get(shape) + path;
  }

  private static String api(String shape, String path) {
    return "/api/v1/snapshots/" + shapes.get(shape) + path;
  }

  /** Stores a file and returns the id of its snapshot. */
  private static String post(String name, String file) {
    byte[] body = file.getBytes(StandardCharsets.UTF_8);
    return Json.of(server.post("/api/v1/snapshots?name=" + name, body)).path("id").asString();
  }

  @Test
  void overviewLinksToTheEventOfThePeak() {
    String overview = server.text(page(SampleFiles.FRAGMENTED, ""));
    Matcher link = Pattern.compile("href=\"([^\"]*)\">after event ([0-9,]+)").matcher(overview);
    assertThat(link.find()).isTrue();
    String event = link.group(2).replace(",", "");
    assertThat(link.group(1)).endsWith("/timeline?event=" + event);
    assertThat(server.text(link.group(1))).contains("data-event=\"" + event + "\"");
  }

  @Test
  void peakBeforeTheFirstEventHasNoEvent() {
    for (String shape : new String[] {"no-trace", SampleFiles.FRAGMENTED}) {
      JsonNode timeline = ColumnsFile.header(server.get(api(shape, "/timeline")).body());
      assertThat(timeline.path("peakEvent").isNull()).as(shape).isEqualTo(shape.equals("no-trace"));
    }
  }

  @Test
  void numberOfAllocationsLinksToAsManyAllocations() {
    for (String by : new String[] {"live", "peak", "never", "total", "count"}) {
      String sites = server.text(page(SampleFiles.FRAGMENTED, "/sites?by=" + by));
      Matcher row =
          Pattern.compile("href=\"([^\"#]*)#site\" title=\"[^\"]*\">([0-9,]+)<").matcher(sites);
      assertThat(row.find()).isTrue();
      assertThat(sites).containsPattern("class=\"curve\"[^>]*up to [0-9.]+ [KMG]iB");
      String blocks = server.text(row.group(1).replace("&amp;", "&"));
      assertThat(blocks)
          .as("sorted by " + by)
          .contains(">" + row.group(2) + "</a>")
          .containsPattern(row.group(2) + " allocations?\\s+in total");
    }
  }

  @Test
  void blockWithoutRecordedRequestIsNoContradiction() {
    // A block of 1,024 bytes without a request, which the trace requests with 700 bytes.
    String file =
        """
        {"segments": [{"device": 0, "address": 4194304, "total_size": 2097152,
        "allocated_size": 1024, "active_size": 1024, "stream": 0, "segment_type": "small",
        "blocks": [{"address": 4194304, "size": 1024, "state": "active_allocated"},
        {"address": 4195328, "size": 2096128, "state": "inactive"}]}],
        "device_traces": [[{"action": "alloc", "addr": 4194304, "size": 700, "stream": 0,
        "frames": []}]]}
        """;
    String id = post("no-request", file);
    assertThat(server.text("/snapshots/" + id)).doesNotContain("The file contradicts itself");
  }

  @Test
  void contradictionAboutTheEndIsShownOnEveryPage() {
    // The trace has 1,000,000 bytes that are not freed; the only block of the state is free.
    String file =
        """
        {"segments": [{"device": 0, "address": 4194304, "total_size": 20971520,
        "allocated_size": 0, "active_size": 0, "requested_size": 0, "stream": 0,
        "segment_type": "large", "segment_pool_id": [0, 0], "is_expandable": false,
        "blocks": [{"address": 4194304, "size": 20971520, "requested_size": 0,
        "state": "inactive", "frames": []}]}],
        "device_traces": [[{"action": "alloc", "addr": 4194304, "size": 1000000, "stream": 0,
        "frames": []}]]}
        """;
    String id = post("contradiction", file);
    for (String path : new String[] {"", "/timeline", "/sites", "/summary"}) {
      assertThat(server.text("/snapshots/" + id + path))
          .as(path)
          .contains("The file contradicts itself about the end of the recording");
      assertThat(server.text(page(SampleFiles.FRAGMENTED, path)))
          .as(path)
          .doesNotContain("The file contradicts itself");
    }
    String overview = server.text("/snapshots/" + id);
    assertThat(overview)
        .containsPattern("(?s)allocated plus pending free; <data[^>]*value=\"0\"")
        .contains("</a> requested</dt>");
  }

  @Test
  void postMortemLinksToTheEventOfTheFailure() {
    JsonNode request = Json.of(server.get(api(SampleFiles.FRAGMENTED, "/oom"))).path("request");
    String event = request.path("event").asString();
    assertThat(server.text(page(SampleFiles.FRAGMENTED, "/oom")))
        .contains("/timeline?event=" + event + "\"");
    JsonNode described = Json.of(server.get(api(SampleFiles.FRAGMENTED, "/events/" + event)));
    assertThat(described.path("action").asString()).isEqualTo("oom");
    assertThat(described.path("failure").asInt()).isZero();
    assertThat(described.path("bytes").asLong()).isEqualTo(request.path("requestedBytes").asLong());
    assertThat(described.path("text").asString())
        .isEqualTo("Out of memory: a request of 768 MiB failed");
  }

  @Test
  void eventsAreDescribedInWords() {
    String[] expected = {
      "Segment of 20 MiB acquired from the device",
      "Allocation of 976.56 KiB",
      "Allocation of 512 KiB",
      "Allocation of 1.91 MiB",
      "Free of 1.91 MiB requested",
      "Free of 1.91 MiB completed",
      "Free of 512 KiB requested",
      "Out of memory: a request of 1 GiB failed",
      "Snapshot taken"
    };
    for (int event = 0; event < expected.length; event++) {
      JsonNode described = Json.of(server.get(api("no-stacks", "/events/" + event)));
      assertThat(described.path("text").asString()).isEqualTo(expected[event]);
      assertThat(described.has("address")).isEqualTo(event < 7);
      assertThat(described.path("segment").asString("none"))
          .isEqualTo(event < 7 ? "0x400000" : "none");
      assertThat(server.text(page("no-stacks", "/timeline?event=" + event)))
          .contains("data-event=\"" + event + "\"", expected[event]);
    }
    JsonNode freed = Json.of(server.get(api("no-stacks", "/events/5")));
    assertThat(freed.path("allocation").asInt()).isEqualTo(2);
    assertThat(
            Json.of(server.get(api("no-stacks", "/allocations/2")))
                .path("freeCompletedEvent")
                .asInt())
        .isEqualTo(5);
    assertThat(server.get(api("no-stacks", "/events/9")).statusCode()).isEqualTo(404);
    assertThat(server.get(api("no-trace", "/events/0")).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "event=-1",
        "event=abc",
        "event=10270",
        "event=99999999999999999999",
        "sel=-5",
        "sel=x",
        "sel=123456789",
        "event=%3Cb%3E",
        "from=a&to=b&sel=0x1"
      })
  void nonsenseValuesOpenTheTimelineWithANote(String query) {
    HttpResponse<byte[]> answer =
        server.get(page(SampleFiles.FRAGMENTED, "/timeline?" + query), "Accept", "text/html");
    String html = PageText.of(answer);
    assertThat(answer.statusCode()).as(html).isEqualTo(200);
    assertThat(html)
        .contains(query.contains("event") ? "There is no event" : "There is no allocation")
        .contains("data-active-timeline")
        .doesNotContain("data-event=", "data-selected=", "<b></b>");
  }

  @Test
  void noteGivesTheRangeOfEvents() {
    assertThat(server.text(page(SampleFiles.FRAGMENTED, "/timeline?event=10270")))
        .contains("There is no event 10270. Device 0 has events 0 to 10,269.");
    assertThat(server.text(page("no-trace", "/timeline?event=3")))
        .contains("There is no event 3. Device 0 has no events.", "No events were recorded");
    assertThat(server.text(page("two-devices", "/timeline?device=1&event=3")))
        .contains("Device 1 has no events.");
    assertThat(server.text(page("two-devices", "/timeline?device=0&event=3")))
        .contains("data-event=\"3\"", "data-device=\"0\"");
  }

  @Test
  void segmentMapSelectsTheBlockOfAnAddress() {
    assertThat(server.text(page("no-stacks", "/segments?sel=0x500000")))
        .contains("data-selected=\"0x500000\"")
        .doesNotContain("role=\"status\"");
    assertThat(server.text(page("no-stacks", "/segments?sel=0x500010")))
        .contains("data-selected=\"0x500000\"", "no block starts at 0x500010");
    for (String nonsense : new String[] {"0x1", "12", "0xzz", "-1", "0xffffffffffffffff"}) {
      HttpResponse<byte[]> answer =
          server.get(page("no-stacks", "/segments?sel=" + nonsense), "Accept", "text/html");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(PageText.of(answer))
          .containsPattern("No segment contains|is not an address|There is no allocation 12")
          .contains("data-memory-map")
          .doesNotContain("data-selected");
    }
    assertThat(server.text(page("two-devices", "/segments?device=0&sel=0x200000000")))
        .contains("or belongs to another device");
    assertThat(server.text(page("two-devices", "/segments?device=1&sel=0x200000000")))
        .contains("data-selected=\"0x200000000\"");
  }

  @Test
  void siteOfAnAllocationIsFound() {
    JsonNode allocation = Json.of(server.get(api(SampleFiles.HEALTHY, "/allocations/0")));
    String html = server.text(page(SampleFiles.HEALTHY, "/sites?site=" + allocation.path("stack")));
    assertThat(html).contains("id=\"site\"", allocation.at("/site/name").asString());
    assertThat(server.text(page("no-stacks", "/sites?by=live&site=none")))
        .contains("2 allocations", "/segments?sel=0x400000", "/timeline?event=1");
    for (String nonsense : new String[] {"-1", "x", "999999999", "0", "99999999999"}) {
      HttpResponse<byte[]> answer =
          server.get(page(SampleFiles.HEALTHY, "/sites?site=" + nonsense), "Accept", "text/html");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(PageText.of(answer))
          .contains("Device 0 has no allocation of this site.", "<table class=\"sites\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/timeline", "/segments", "/sites", "/summary", "/oom", "/delete"})
  void slashAtTheEndRedirectsToThePage(String path) {
    String url = page(SampleFiles.HEALTHY, path);
    for (String query : new String[] {"", "?device=0"}) {
      HttpResponse<byte[]> answer = server.get(url + "/" + query, "Accept", "text/html");
      assertThat(answer.statusCode()).isEqualTo(308);
      assertThat(answer.headers().firstValue("Location")).hasValue(url + query);
    }
  }

  @Test
  void slashAtTheEndNeverLeadsToAnotherServer() {
    for (String path : new String[] {"/snapshots//evil.example/", "/live/"}) {
      String location = server.get(path).headers().firstValue("Location").orElse("/");
      assertThat(location).matches("/([^/].*)?");
    }
  }
}
