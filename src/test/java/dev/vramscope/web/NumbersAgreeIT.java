package dev.vramscope.web;

import static dev.vramscope.web.ColumnsFile.column;
import static dev.vramscope.web.ColumnsFile.header;
import static dev.vramscope.web.ColumnsFile.sum;
import static dev.vramscope.web.PageNumbers.between;
import static dev.vramscope.web.PageNumbers.bytes;
import static dev.vramscope.web.PageNumbers.cell;
import static dev.vramscope.web.PageNumbers.first;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The pages, the list and the REST API of a snapshot show the same numbers. Every place adds its
 * numbers by name; a name with two values is a contradiction.
 */
class NumbersAgreeIT extends OnSnapshotShapes {
  /** By name of the number: its values, each with the places that show it. */
  private final Map<String, Map<Long, List<String>>> numbers = new TreeMap<>();

  /** Peaks of allocated bytes that a replay knows exactly, by the name of their lower bound. */
  private final Map<String, Long> replayedPeaks = new TreeMap<>();

  @Test
  void numbersThatPagesAndApiShareAreEqual() {
    shapes.forEach(
        (shape, id) -> {
          JsonNode stored = Json.of(server.get("/api/v1/snapshots/" + id));
          addStored(shape, stored);
          for (int device = 0; device < stored.path("deviceCount").asInt(); device++) {
            addDevice(shape, id, device);
          }
          addSumsOfDevices(shape, stored);
        });
    assertThat(numbers.keySet()).hasSizeGreaterThan(100);
    assertThat(numbers.entrySet())
        .filteredOn(number -> number.getValue().values().stream().mapToInt(List::size).sum() > 1)
        .as("numbers in several places")
        .hasSizeGreaterThan(80);
    List<String> contradictions = new ArrayList<>();
    numbers.forEach(
        (name, values) -> {
          if (values.size() > 1) {
            contradictions.add(name + ": " + values);
          }
        });
    assertThat(contradictions).isEmpty();
  }

  private void add(String name, String place, long value) {
    numbers
        .computeIfAbsent(name, _ -> new TreeMap<>())
        .computeIfAbsent(value, _ -> new ArrayList<>())
        .add(place);
  }

  private long onlyValue(String name) {
    return Objects.requireNonNull(numbers.get(name), name).keySet().iterator().next();
  }

  private void addStored(String shape, JsonNode stored) {
    String list = server.text("/snapshots?job=shapes");
    for (String name :
        List.of("eventCount", "segmentCount", "blockCount", "reservedBytes", "allocatedBytes")) {
      add(shape + " " + name, "list in JSON", stored.path(name).asLong());
    }
    add(shape + " oomCount", "list in JSON", stored.path("oomCount").asLong());
    String row = between(list, "href=\"/snapshots/" + stored.path("id").asString() + "\"", "</tr>");
    if (row != null) {
      add(shape + " allocatedBytes", "list", cell(row, "Allocated at the end"));
      add(shape + " reservedBytes", "list", cell(row, "Reserved at the end"));
      add(shape + " eventCount", "list", cell(row, "Events"));
      add(shape + " oomCount", "list", cell(row, "OOM"));
    } else {
      assertThat(shape).as("only this one has another job").isEqualTo("live");
    }
  }

  private void addSumsOfDevices(String shape, JsonNode stored) {
    for (String name :
        List.of(
            "eventCount",
            "segmentCount",
            "blockCount",
            "reservedBytes",
            "allocatedBytes",
            "oomCount")) {
      long sum = 0;
      for (int device = 0; device < stored.path("deviceCount").asInt(); device++) {
        sum += onlyValue(shape + " " + device + " " + name);
      }
      add(shape + " " + name, "sum of the devices", sum);
    }
    if (stored.path("peakBytes").isNumber()) {
      long sum = 0;
      for (int device = 0; device < stored.path("deviceCount").asInt(); device++) {
        sum += onlyValue(shape + " " + device + " peakBytes");
      }
      add(shape + " peakBytes", "list in JSON", stored.path("peakBytes").asLong());
      add(shape + " peakBytes", "sum of the devices", sum);
    }
  }

  private void addDevice(String shape, String id, int device) {
    String name = shape + " " + device + " ";
    String query = "?device=" + device;
    String api = "/api/v1/snapshots/" + id;
    addColumns(name, api, query);
    JsonNode counters = Json.of(server.get(api + "/summary" + query)).path("counters");
    addCounter(name + "reservedBytes", counters, "reserved_bytes.all.current");
    addCounter(name + "allocatedBytes", counters, "allocated_bytes.all.current");
    addCounter(name + "activeBytes", counters, "active_bytes.all.current");
    // As in PyTorch, the counter does not include expandable segments.
    long expandable =
        sum(column(server.get(api + "/segments" + query).body(), "expandable"), null, 0);
    add(
        name + "segmentCount",
        "summary in JSON, and expandable segments",
        counters.path("segment.all.current").asLong() + expandable);
    addCounter(name + "activeBlocks", counters, "active.all.current");
    addCounter(name + "allocatedBlocks", counters, "allocation.all.current");
    if (!name.startsWith("trace-only")) {
      addCounter(name + "requestedAtEnd", counters, "requested_bytes.all.current");
    }
    addCounter(name + "peakReservedBytes", counters, "reserved_bytes.all.peak");
    addCounter(name + "peakBytes", counters, "requested_bytes.all.peak");
    addCounter(name + "oomCount", counters, "num_ooms");
    addSummaryPage(name, server.text("/snapshots/" + id + "/summary" + query));
    addLedger(name, "ledger in JSON", Json.of(server.get(api + "/ledger" + query)).path("ledger"));
    addSites(name, id, query);
    addOverview(name, server.text("/snapshots/" + id + query));
    addSegmentsPage(name, server.text("/snapshots/" + id + "/segments" + query));
    addFailures(name, id, query);
  }

  /** The columns of timeline and segments. */
  private void addColumns(String name, String api, String query) {
    byte[] body = server.get(api + "/timeline" + query).body();
    JsonNode timeline = header(body);
    add(name + "eventCount", "timeline", timeline.path("eventCount").asLong());
    add(name + "oomCount", "timeline", timeline.path("ooms").size());
    for (int width : new int[] {1, 40, 400, 1900}) {
      String size = (query.isEmpty() ? "?" : query + "&") + "width=" + width;
      JsonNode picture = header(server.get(api + "/timeline" + size).body());
      add(name + "allocationCount", "timeline", picture.path("allocationCount").asLong());
    }
    add(name + "peakBytes", "timeline", timeline.path("peakBytes").asLong());
    if (!timeline.path("peakEvent").isNull()) {
      add(name + "peakEvent", "timeline", timeline.path("peakEvent").asLong());
    }
    double[] reserved = column(body, "reserved");
    if (reserved.length > 0 && timeline.path("reservedKnown").asBoolean()) {
      add(name + "reservedBytes", "end of the timeline", (long) reserved[reserved.length - 1]);
    }
    body = server.get(api + "/segments" + query).body();
    add(name + "reservedBytes", "map", header(body).path("reservedBytes").asLong());
    add(name + "reservedBytes", "segments of the map", sum(column(body, "bytes"), null, 0));
    double[] blocks = column(body, "blockBytes");
    double[] state = column(body, "state");
    add(name + "reservedBytes", "blocks of the map", sum(blocks, null, 0));
    add(name + "allocatedBytes", "blocks of the map", sum(blocks, state, 0));
    add(name + "pendingBytes", "blocks of the map", sum(blocks, state, 1));
    add(name + "inactiveBytes", "blocks of the map", sum(blocks, state, 2));
    add(name + "activeBytes", "blocks of the map", sum(blocks, state, 0) + sum(blocks, state, 1));
    add(name + "segmentCount", "map", column(body, "bytes").length);
    add(name + "blockCount", "map", blocks.length);
    double[] requested = column(body, "requested");
    double[] allocation = column(body, "allocation");
    for (int i = 0; i < allocation.length; i++) {
      assertThat(allocation[i] < 0).as(name + "block " + i).isEqualTo(state[i] == 2);
    }
    if (blocks.length > 0) {
      add(name + "requestedAtEnd", "map", sum(requested, state, 0) + sum(requested, state, 1));
    }
  }

  private void addCounter(String name, JsonNode counters, String counter) {
    if (counters.has(counter) && !counters.path(counter).isNull()) {
      add(name, "summary in JSON, " + counter, counters.path(counter).asLong());
    }
  }

  private void addSummaryPage(String name, String html) {
    if (name.startsWith("trace-only")) {
      return; // unknown: the file has no segments
    }
    if (name.startsWith("out-of-memory-expandable")) {
      assertThat(html).contains("3 expandable segments");
    }
    Map<String, String> rows =
        Map.of(
            "Allocated memory", "allocatedBytes",
            "Active memory", "activeBytes",
            "Requested memory", "requestedAtEnd",
            "GPU reserved memory", "reservedBytes");
    rows.forEach(
        (title, number) -> {
          String row = between(html, "<th scope=\"row\">" + title + "</th>", "</tr>");
          add(name + number, "summary page", first(String.valueOf(row)));
        });
    addPeak(name + "leastPeakAllocatedBytes", html, "Allocated memory");
    addPeak(name + "peakReservedBytes", html, "GPU reserved memory");
  }

  /** The overhead of the overview is the ratio of the peaks that the summary shows. */
  private void addPeak(String name, String html, String metric) {
    String row =
        Objects.requireNonNull(
            between(html, "<th scope=\"row\">" + metric + "</th>", "</tr>"), metric);
    String cell = row.split("</td>", -1)[1];
    if (cell.contains("class=\"replayed\"")) {
      if (metric.startsWith("Allocated")) {
        replayedPeaks.put(name, first(cell));
      }
    } else if (cell.contains("<data")) {
      add(name, "summary page", first(cell));
      if (metric.startsWith("Allocated")) {
        assertThat(cell).as(name).contains("at least");
      }
    }
  }

  private void addOverhead(String name, String html) {
    Matcher overhead =
        Pattern.compile(
                "(?s)(at most )?<b>([0-9.]+)</b>, from (<data.*?) reserved and (.*?) allocated")
            .matcher(html);
    String peak = name + "leastPeakAllocatedBytes";
    boolean hasPeak = numbers.containsKey(peak) || replayedPeaks.containsKey(peak);
    assertThat(overhead.find()).as(name + "has an overhead").isEqualTo(hasPeak);
    if (hasPeak) {
      long reserved = first(overhead.group(3));
      long allocated = first(overhead.group(4));
      add(name + "peakReservedBytes", "overview, overhead", reserved);
      Long replayed = replayedPeaks.get(peak);
      if (replayed == null) {
        add(peak, "overview, overhead", allocated);
        assertThat(overhead.group(1)).isNotNull();
        assertThat(overhead.group(4)).startsWith("at least ");
      } else {
        // An exact replay has the peak of which the other places have a lower bound.
        assertThat(allocated).as(peak).isEqualTo(replayed);
        assertThat(overhead.group(1)).isNull();
        assertThat(overhead.group(4)).doesNotContain("at least", "class=\"replayed\"");
      }
      assertThat(Double.parseDouble(overhead.group(2)))
          .as(name)
          .isCloseTo((double) reserved / allocated, within(0.005));
    }
  }

  private void addLedger(String name, String place, JsonNode ledger) {
    add(name + "reservedBytes", place, ledger.path("reservedBytes").asLong());
    long sum = 0;
    for (JsonNode row : ledger.path("rows")) {
      if (row.path("isReserved").asBoolean(true)) {
        String category = row.path("id").asString(row.path("category").asString(""));
        sum += row.path("bytes").asLong();
        if (category.equalsIgnoreCase("requested")) {
          assertThat(row.path("bytes").asLong()).as(name + row).isNotNegative();
        }
      }
    }
    assertThat(sum)
        .as(name + "ledger " + ledger)
        .isGreaterThanOrEqualTo(ledger.path("reservedBytes").asLong());
  }

  private void addSites(String name, String id, String query) {
    JsonNode sites = Json.of(server.get("/api/v1/snapshots/" + id + "/sites" + query));
    add(name + "requestedAtEnd", "sites in JSON", sites.path("liveBytes").asLong());
    boolean hasPeak = !sites.path("peakBytes").isNull();
    if (hasPeak) {
      add(name + "peakBytes", "sites in JSON", sites.path("peakBytes").asLong());
    }
    long allocations = 0;
    for (JsonNode row : sites.path("rows")) {
      allocations += row.path("allocationCount").asLong();
    }
    if (hasPeak && sites.path("nextOffset").isNull()) {
      add(name + "allocationCount", "sites in JSON", allocations);
    }
    String page = server.text("/snapshots/" + id + "/sites" + query);
    List<Long> footer = bytes(between(page, "<tfoot", "</tfoot>"));
    add(name + "requestedAtEnd", "sites", footer.get(0));
    if (hasPeak) {
      add(name + "peakBytes", "sites", footer.get(1));
    }
  }

  private void addOverview(String name, String html) {
    String figures = between(html, "<dl class=\"figures\">", "</dl>");
    List<Long> values = bytes(figures);
    if (name.startsWith("trace-only")) {
      assertThat(html)
          .contains("The file has no segments, but 1.45 MiB are live at the end of the trace.");
      assertThat(figures).contains("unknown").contains("no segments in the file");
      add(name + "requestedAtEnd", "overview", values.getFirst());
      add(name + "peakBytes", "overview", values.get(1));
      return;
    }
    add(name + "requestedAtEnd", "overview", values.remove(2));
    assertThat(values.size() < 4 || values.get(3) >= onlyValue(name + "requestedAtEnd"))
        .as("the peak is at least what is active at the end: " + name)
        .isTrue();
    add(name + "allocatedBytes", "overview", values.get(0));
    add(name + "activeBytes", "overview", values.get(1));
    add(name + "reservedBytes", "overview", values.get(2));
    Matcher event = Pattern.compile("event=([0-9]+)\"").matcher(String.valueOf(figures));
    if (event.find()) {
      add(name + "peakEvent", "overview", Long.parseLong(event.group(1)));
      add(name + "peakBytes", "overview", values.get(3));
    }
    if (values.size() > 4) {
      add(name + "peakReservedBytes", "overview", values.getLast());
    }
    addOverhead(name, html);
    String pools = between(html, "<tr class=\"total\">", "</tr>");
    List<Long> total = bytes(pools);
    add(name + "reservedBytes", "overview, pools", total.get(0));
    add(name + "allocatedBytes", "overview, pools", total.get(1));
    add(name + "pendingBytes", "overview, pools", total.get(2));
    add(name + "inactiveBytes", "overview, pools", total.get(3));
    String peak = between(html, "<table class=\"peak-sites\">", "</table>");
    if (peak != null) {
      long sum = 0;
      Matcher row =
          Pattern.compile("(?s)<tr>.*?</tr>").matcher(between(peak, "<tbody>", "</tbody>"));
      while (row.find()) {
        // The sizes of each, then their sum.
        sum += bytes(row.group()).getLast();
      }
      add(name + "peakBytes", "overview, rows of the peak", sum);
      add(name + "peakBytes", "overview, peak", bytes(between(peak, "<tfoot>", "</tfoot>")).get(0));
    }
  }

  private void addSegmentsPage(String name, String html) {
    String table = between(html, "<tbody>", "</tbody>");
    if (table == null) {
      add(name + "segmentCount", "segments page", 0);
      return;
    }
    int rows = table.split("<tr", -1).length - 1;
    if (!html.contains("of <span") && !html.contains("class=\"pager\"")) {
      add(name + "segmentCount", "segments page", rows);
      long reserved = 0;
      List<Long> values = bytes(table);
      for (int i = 0; i < values.size(); i += 4) {
        reserved += values.get(i);
      }
      add(name + "reservedBytes", "segments page", reserved);
    }
  }

  private void addFailures(String name, String id, String query) {
    long count = onlyValue(name + "oomCount");
    String overview = server.text("/snapshots/" + id + query);
    assertThat(overview.contains("What happened")).as(name).isEqualTo(count > 0);
    for (int n = 0; n < Math.min(count, 3); n++) {
      JsonNode failure =
          Json.of(server.get("/api/v1/snapshots/" + id + "/oom" + query + "&n=" + n));
      String html = server.text("/snapshots/" + id + "/oom" + query + "&n=" + n);
      String facts = between(html, "<dl class=\"facts\">", "</dl>");
      JsonNode request = failure.path("request");
      String of = name + "failure " + n + " ";
      add(of + "requestedBytes", "oom in JSON", request.path("requestedBytes").asLong());
      add(of + "requestedBytes", "oom page", bytes(facts).get(0));
      long event = request.path("event").asLong();
      JsonNode described =
          Json.of(server.get("/api/v1/snapshots/" + id + "/events/" + event + query));
      add(of + "requestedBytes", "event", described.path("bytes").asLong());
      add(of + "reservedBytes", "oom in JSON", failure.at("/ledger/reservedBytes").asLong());
      if (described.has("reservedBytes")) {
        add(of + "reservedBytes", "event", described.path("reservedBytes").asLong());
      }
      if (n == 0) {
        assertThat(explanation(overview)).as(name).isNotEmpty().isEqualTo(explanation(html));
      }
    }
  }

  /** The sentences that both pages begin with. */
  private static String explanation(String page) {
    return String.valueOf(between(page, "id=\"explanation\"", "</section>"))
        .replaceAll("<[^>]*>", "");
  }
}
