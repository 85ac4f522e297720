package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestExtent;
import dev.vramscope.web.snapshot.Tab;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** No page and no JSON of a snapshot is large, whatever the file contains. */
class ResponseSizeIT {
  private static final int MAX_BYTES = 2 << 20;
  // Columns of all blocks: 40 bytes for each.
  private static final int MAX_COLUMN_BYTES = 16 << 20;
  private static final Duration MAX_TIME = Duration.ofSeconds(20);
  private static final int MAX_PAGES = TestExtent.of(20, 60);

  private static final String SNAPSHOTS = "/api/v1/snapshots";
  private static final Pattern LINK = Pattern.compile("href=\"(/snapshots/[^\"#]+)");

  @SuppressWarnings("NullAway.Init")
  private static LocalServer server;

  private static final Map<String, byte[]> FILES = HostileShapes.all();

  @BeforeAll
  static void start() {
    server = LocalServer.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  static Stream<String> shapes() {
    return FILES.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void everyPageIsSmall(String shape) {
    String id = stored(shape);
    Set<String> seen = new LinkedHashSet<>();
    Deque<String> next = new ArrayDeque<>();
    for (Tab tab : Tab.values()) {
      next.add("/snapshots/" + id + tab.path());
    }
    next.add("/snapshots/" + id + "/sites?by=live&offset=50");
    next.add("/snapshots/" + id + "/oom?bytes=1GiB");
    next.add("/snapshots/" + id + "/oom?bytes=1GiB&offset=50");
    next.add("/snapshots/" + id + "/segments?offset=500");
    next.add("/snapshots/" + id + "/edit");
    next.add("/compare?a=" + id + "&b=" + id);
    next.add("/compare?a=" + id + "&b=" + stored("many-rows") + "&by=stacks");
    next.add("/compare?a=" + stored("stacks") + "&b=" + id + "&by=stacks");
    next.add("/snapshots");
    next.add("/");
    while (!next.isEmpty() && seen.size() < MAX_PAGES) {
      String path = next.remove();
      if (seen.add(path)) {
        String page = small(path, MAX_BYTES);
        Matcher link = LINK.matcher(page);
        while (link.find()) {
          next.add(link.group(1).replace("&amp;", "&"));
        }
      }
    }
    assertThat(seen).hasSizeGreaterThan(12);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void everyJsonAnswerIsSmall(String shape) {
    String id = stored(shape);
    JsonNode sites = Json.of(server.get(SNAPSHOTS + "/" + id + "/sites?limit=2000"));
    String stack = sites.at("/rows/0/stack").asString();
    List<String> paths = new ArrayList<>();
    JsonNode documented = Json.of(server.get("/api/docs", "Accept", "application/json"));
    documented
        .path("paths")
        .properties()
        .forEach(
            path -> {
              // The answer of replays has one row for each of the settings of the request.
              boolean isOfReplays = path.getKey().contains("{replays}");
              // No text is attached; the list has all.
              boolean isOfText = path.getKey().contains("{number}");
              if (path.getKey().startsWith(SNAPSHOTS)
                  && path.getValue().has("get")
                  && !isOfReplays
                  && !isOfText) {
                paths.add(path.getKey());
              }
            });
    assertThat(paths).contains(SNAPSHOTS + "/{id}/sites", SNAPSHOTS + "/{id}/segments");
    for (String template : paths) {
      String path =
          template.replace("{id}", id).replace("{stack}", stack).replaceAll("\\{(row|event)}", "0");
      assertThat(path).as("a path parameter without a value").doesNotContain("{");
      String query =
          template.endsWith("/sites")
              ? "?limit=2000"
              : template.endsWith("/oom")
                  ? "?bytes=1GiB&limit=4000"
                  : template.endsWith("/search")
                      ? "?text=a"
                      : template.endsWith("/rest") ? "?event=0&below=1000000000" : "";
      boolean isColumns = template.endsWith("/segments") || template.endsWith("timeline");
      boolean isFile = template.matches(".*/(original|pickle|export).*");
      // The end of a recording needs one; see LabApiIT.
      boolean isRefused = template.endsWith("/lab") && isWithoutRecording(path);
      if (!isFile && !isRefused) {
        small(path + query, isColumns ? MAX_COLUMN_BYTES : MAX_BYTES);
      }
    }
  }

  @Test
  void pagesLeadToEverySite() {
    String api = SNAPSHOTS + "/" + stored("many-rows") + "/sites?limit=2000&offset=";
    Set<Integer> lines = new LinkedHashSet<>();
    JsonNode next = null;
    int pages = 0;
    do {
      JsonNode page = Json.of(server.get(api + (next == null ? 0 : next.asInt())));
      page.path("rows").forEach(row -> lines.add(row.at("/frame/line").asInt()));
      next = page.path("nextOffset");
      pages++;
    } while (next.isNumber());
    assertThat(lines).hasSize(30_000);
    assertThat(pages).isGreaterThan(1);
  }

  @Test
  void pagesLeadToEveryFrame() {
    String id = stored("stacks");
    int stack = Json.of(server.get(SNAPSHOTS + "/" + id + "/sites")).at("/rows/0/stack").asInt();
    String api = SNAPSHOTS + "/" + id + "/stacks/" + stack + "?offset=";
    int frames = 0;
    JsonNode page = Json.of(server.get(api + 0));
    frames += page.path("frames").size();
    while (page.path("nextOffset").isNumber()) {
      page = Json.of(server.get(api + page.path("nextOffset").asInt()));
      frames += page.path("frames").size();
    }
    assertThat(frames).isEqualTo(page.path("frameCount").asInt()).isEqualTo(1_000);
  }

  @Test
  void longTagsAreRejected() {
    byte[] file =
        "{\"segments\": [{\"address\": 1, \"total_size\": 1}]}".getBytes(StandardCharsets.UTF_8);
    for (String query :
        List.of(
            "job=" + "j".repeat(101),
            "labels=" + "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u",
            "host=a%00b",
            "name=" + "n".repeat(301))) {
      HttpResponse<byte[]> answer = server.post(SNAPSHOTS + "?" + query, file);
      assertThat(answer.statusCode()).as(query).isEqualTo(400);
      assertThat(Json.of(answer).path("next").asString()).contains("at most").isNotBlank();
    }
    HttpResponse<byte[]> named = server.post(SNAPSHOTS, file, "X-Filename", "n".repeat(2_000));
    assertThat(named.statusCode()).isEqualTo(201);
    assertThat(Json.of(named).path("name").asString().length()).isLessThanOrEqualTo(300);
  }

  @Test
  void tooManyPartsAreRejectedWithTheLimit() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      body.append("--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\nx\r\n");
    }
    body.append("--b--\r\n");
    HttpResponse<byte[]> answer =
        server.post(
            SNAPSHOTS,
            body.toString().getBytes(StandardCharsets.UTF_8),
            "Content-Type",
            "multipart/form-data; boundary=b");
    assertThat(answer.statusCode()).isEqualTo(413);
    JsonNode problem = Json.of(answer);
    assertThat(problem.path("detail").asString()).contains("1100");
    assertThat(problem.path("next").asString()).contains("server.tomcat.max-part-count");
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).doesNotContain("apache");
  }

  /** Pinned host memory, or a state without events. */
  private static boolean isWithoutRecording(String path) {
    int status = server.get(path).statusCode();
    return status == 400 || status == 422;
  }

  private static String small(String path, int maxBytes) {
    long start = System.nanoTime();
    HttpResponse<byte[]> answer = server.get(path);
    // A snapshot without events has no event 0.
    assertThat(answer.statusCode()).as(path).isIn(200, 404);
    assertThat(answer.body().length).as("bytes of " + path).isLessThanOrEqualTo(maxBytes);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).as(path).isLessThan(MAX_TIME);
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static String stored(String shape) {
    HttpResponse<byte[]> answer =
        server.post(SNAPSHOTS + "?name=" + shape, Objects.requireNonNull(FILES.get(shape)));
    assertThat(answer.statusCode())
        .as(new String(answer.body(), StandardCharsets.UTF_8))
        .isIn(200, 201);
    return Json.of(answer).path("id").asString();
  }
}
