package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.JsonNode;

/**
 * What one view of a snapshot shows does not contradict another one: the bounds of the device's
 * size, the number of findings, peaks, pending frees.
 */
class NumbersAgreeAcrossViewsIT extends OnSnapshotShapes {
  private static JsonNode json(String path) {
    return Json.of(server.get(path));
  }

  /** A device of a snapshot, and the path of a resource of it with a parameter. */
  private record OfDevice(String shape, String id, int ordinal) {
    String api(String resource, String parameter) {
      return "/api/v1/snapshots/" + id + resource + "?device=" + ordinal + parameter;
    }

    String page(String path, String parameter) {
      return "/snapshots/" + id + path + "?device=" + ordinal + parameter;
    }

    boolean hasEvents() {
      return ColumnsFile.header(server.get(api("/timeline", "")).body()).path("eventCount").asInt()
          > 0;
    }
  }

  private static List<OfDevice> devices() {
    return shapes.entrySet().stream()
        .flatMap(
            shape -> {
              int count = json("/api/v1/snapshots/" + shape.getValue()).path("deviceCount").asInt();
              return IntStream.range(0, count)
                  .mapToObj(device -> new OfDevice(shape.getKey(), shape.getValue(), device));
            })
        .toList();
  }

  @Test
  void sizeOfTheDeviceIsAcceptedFromTheLowerBoundOn() {
    int bounds = 0;
    for (OfDevice device : devices()) {
      JsonNode ledger = json(device.api("/ledger", "")).path("ledger");
      if (ledger.path("totalBytes").isNumber()) {
        continue; // The recording contains it.
      }
      long least = ledger.path("totalAtLeastBytes").asLong();
      int failures =
          server.get(device.api("/oom", "")).statusCode() == 200
              ? 1
              : 0; // The bound is that of all failures.
      String tooSmall = "&total=" + (least - 1);
      for (String resource : failures > 0 ? List.of("/ledger", "/oom") : List.of("/ledger")) {
        var refused = server.get(device.api(resource, tooSmall));
        assertThat(refused.statusCode()).as(device + resource + tooSmall).isEqualTo(400);
        assertThat(new String(refused.body(), StandardCharsets.UTF_8))
            .contains("at least ")
            .contains(String.format("%,d bytes", least));
        JsonNode answer = json(device.api(resource, "&total=" + least)).path("ledger");
        assertThat(answer.path("remainderBytes").isNumber()).as(device + resource).isTrue();
        assertThat(answer.path("totalBytes").asLong()).isEqualTo(least);
      }
      for (String page : List.of("", "/oom")) {
        if (page.isEmpty() || failures > 0) {
          var shown = server.get(device.page(page, tooSmall));
          String html = PageText.of(shown);
          assertThat(shown.statusCode()).as(device + page).isEqualTo(400);
          assertThat(html)
              .contains("Not used. A device of ")
              .contains("Allowed: at least ")
              .contains("value=\"" + (least - 1) + "\"")
              .contains("aria-invalid=\"true\"")
              .doesNotContain("add up to more than");
        }
      }
      bounds++;
    }
    assertThat(bounds).isGreaterThan(5);
  }

  @Test
  void numberOfFindingsIsThatOfTheListedFindings() {
    shapes.forEach(
        (shape, id) -> {
          JsonNode stored = json("/api/v1/snapshots/" + id);
          assertThat(json("/api/v1/snapshots/" + id + "/findings").size())
              .as(shape)
              .isEqualTo(stored.path("findingCount").asInt());
          for (JsonNode listed : json("/api/v1/snapshots?limit=500").path("snapshots")) {
            if (listed.path("id").asString().equals(id)) {
              assertThat(listed.path("findingCount")).isEqualTo(stored.path("findingCount"));
            }
          }
          if (stored.path("deviceCount").asInt() == 1) {
            String html = server.text("/snapshots/" + id);
            int items = 0;
            for (JsonNode finding : json("/api/v1/snapshots/" + id + "/findings")) {
              assertThat(html)
                  .as(shape)
                  .contains(HtmlUtils.htmlEscape(finding.path("message").asString()));
              items++;
            }
            assertThat(items).isEqualTo(stored.path("findingCount").asInt());
          }
        });
  }

  @Test
  void sitesHaveNoPeakWithoutTrace() {
    int without = 0;
    for (OfDevice device : devices()) {
      JsonNode sites = json(device.api("/sites", ""));
      String html = server.text(device.page("/sites", ""));
      boolean hasEvents = device.hasEvents();
      assertThat(sites.path("peakBytes").isNull()).as(device.toString()).isEqualTo(!hasEvents);
      assertThat(html.contains("by=peak")).as(device.toString()).isEqualTo(hasEvents);
      assertThat(html.contains(">Total allocated<")).as(device.toString()).isEqualTo(hasEvents);
      for (JsonNode row : sites.path("rows")) {
        for (String counted :
            List.of(
                "peakBytes",
                "peakCount",
                "allocationCount",
                "totalBytes",
                "neverFreedCount",
                "neverFreedBytes")) {
          assertThat(row.path(counted).isNull()).as(device + counted).isEqualTo(!hasEvents);
        }
      }
      if (!hasEvents) {
        assertThat(html).doesNotContain("before the first event");
        assertThat(server.get(device.page("/sites", "&by=peak")).statusCode()).isEqualTo(400);
        without++;
      }
    }
    assertThat(without).isEqualTo(2);
  }

  /** Live at the end is active: the requested bytes of the ledger, and those pending free. */
  @Test
  void liveAtTheEndAddsUpFromTheLedgerAndPendingFrees() {
    int pending = 0;
    for (OfDevice device : devices()) {
      JsonNode sites = json(device.api("/sites", ""));
      long pendingBytes = sites.path("pendingFreeBytes").asLong(-1);
      assertThat(pendingBytes).as(device.toString()).isNotNegative();
      long ofRows = 0;
      for (JsonNode row : sites.path("rows")) {
        ofRows += row.path("pendingFreeBytes").asLong();
      }
      assertThat(ofRows).isEqualTo(pendingBytes);
      long requested = 0;
      for (JsonNode row : json(device.api("/ledger", "")).at("/ledger/rows")) {
        String item = row.path("item").asString();
        if (item.equals("live-requested") || item.equals("live-request-unknown")) {
          requested += row.path("bytes").asLong();
        }
      }
      if (!device.shape().equals("trace-only")) {
        assertThat(requested + pendingBytes)
            .as(device.toString())
            .isEqualTo(sites.path("liveBytes").asLong());
      }
      String html = server.text(device.page("/sites", ""));
      assertThat(html.contains("of which")).as(device.toString()).isEqualTo(pendingBytes > 0);
      pending += pendingBytes > 0 ? 1 : 0;
    }
    assertThat(pending).isGreaterThan(1);
  }

  /** All three columns of the list are sums over the devices. */
  @Test
  void peakOfTheListIsTheSumOfTheDevices() {
    StringBuilder traces = new StringBuilder();
    StringBuilder segments = new StringBuilder();
    for (int device = 0; device < 2; device++) {
      long address = (device + 1L) << 33;
      traces
          .append(device == 0 ? "[" : ",[")
          .append("{\"action\": \"segment_alloc\", \"addr\": ")
          .append(address)
          .append(", \"size\": 20971520, \"stream\": 0, \"frames\": []},{")
          .append("\"action\": \"alloc\", \"addr\": ")
          .append(address)
          .append(", \"size\": 1048576, \"stream\": 0, \"frames\": []}]");
      segments
          .append(device == 0 ? "" : ",")
          .append(
              ("{\"device\": %d, \"address\": %d, \"total_size\": 20971520, \"stream\": 0,"
                      + " \"segment_type\": \"large\", \"blocks\": [{\"address\": %d, \"size\":"
                      + " 1048576, \"requested_size\": 1048576, \"state\": \"active_allocated\"},"
                      + " {\"address\": %d, \"size\": 19922944, \"requested_size\": 0, \"state\":"
                      + " \"inactive\"}]}")
                  .formatted(device, address, address, address + 1048576));
    }
    String file = "{\"segments\": [" + segments + "], \"device_traces\": [" + traces + "]}";
    String id =
        Json.of(
                server.post(
                    "/api/v1/snapshots?name=two-full-devices",
                    file.getBytes(StandardCharsets.UTF_8)))
            .path("id")
            .asString();
    JsonNode stored = json("/api/v1/snapshots/" + id);
    assertThat(stored.path("allocatedBytes").asLong()).isEqualTo(2 << 20);
    assertThat(stored.path("peakBytes").asLong()).isEqualTo(2 << 20);
    String list = server.text("/snapshots?q=two-full-devices");
    assertThat(list).contains("sums over its 2 devices");
  }

  @Test
  void fitNamesTheRequestedBytes() {
    String id = shapes.get(SampleFiles.FRAGMENTED);
    Map<String, String> sentences =
        Map.of(
            "1000", "A request for 1000 B on",
            "1", "A request for 1 B on",
            "1.5GiB", "A request for 1.5 GiB on",
            "1024TiB", "A request for 1 PiB on",
            "700001", "A request for 683.59 KiB (700,001 bytes) on");
    sentences.forEach(
        (bytes, start) -> {
          String path = "/oom?bytes=" + bytes;
          assertThat(json("/api/v1/snapshots/" + id + path).at("/verdict/sentence").asString())
              .startsWith(start);
          assertThat(server.text("/snapshots/" + id + path)).contains(start);
        });
    String tooLarge =
        json("/api/v1/snapshots/" + shapes.get("no-trace") + "/oom?bytes=900GiB")
            .at("/verdict/sentence")
            .asString();
    assertThat(tooLarge)
        .startsWith("A request for 900 GiB on stream 0 fits into no free block, and it is unknown");
  }

  @Test
  void textOfTheSummaryHasTheLowerBoundsOfItsTable() {
    int bounds = 0;
    for (OfDevice device : devices()) {
      String page = server.text(device.page("/summary", ""));
      Matcher row =
          Pattern.compile(
                  "(?s)<th scope=\"row\">(Allocated memory|GPU reserved memory)</th>(.*?)</tr>")
              .matcher(page);
      String text =
          new String(server.get(device.api("/summary.txt", "")).body(), StandardCharsets.UTF_8);
      while (row.find()) {
        boolean isBound = row.group(2).split("</td>", -1)[1].contains("at least");
        String line =
            text.lines()
                .filter(each -> each.contains(" " + row.group(1)))
                .findFirst()
                .orElseThrow();
        assertThat(line.split("\\|", -1)[3].contains("≥")).as(device + line).isEqualTo(isBound);
        bounds += isBound ? 1 : 0;
      }
    }
    assertThat(bounds).isGreaterThan(2);
  }

  /** Keys that only whole snapshots have do not date a list of segments. */
  @Test
  void segmentListIsNotDatedByKeysThatItCannotHave() {
    String list =
        "[{\"device\": 0, \"address\": 4194304, \"total_size\": 20971520, \"allocated_size\": 0,"
            + " \"active_size\": 0, \"requested_size\": 0, \"stream\": 0, \"segment_type\":"
            + " \"large\", \"segment_pool_id\": [0, 0], \"is_expandable\": false, \"blocks\":"
            + " [{\"address\": 4194304, \"size\": 20971520, \"requested_size\": 0, \"state\":"
            + " \"inactive\", \"frames\": []}]}]";
    JsonNode stored =
        Json.of(
            server.post(
                "/api/v1/snapshots?name=segment-list", list.getBytes(StandardCharsets.UTF_8)));
    assertThat(stored.path("producer").asString()).isEqualTo("PyTorch 2.1 or later");
  }
}
