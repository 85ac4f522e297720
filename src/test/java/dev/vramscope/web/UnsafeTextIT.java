package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.UnsafeText;
import dev.vramscope.report.ReportFormat;
import dev.vramscope.web.flame.FlameFormat;
import dev.vramscope.web.overview.ExportFormat;
import dev.vramscope.web.snapshot.Tab;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

/**
 * Texts with control characters, from files, names, parameters and bodies, in every output of the
 * service: all requests that the OpenAPI document lists, all pages that links lead to, all exports,
 * and the log.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnsafeTextIT {
  private static final String SNAPSHOTS = "/api/v1/snapshots";
  private static final String[] JSON = {"Content-Type", "application/json"};
  private static final Set<String> BINARY =
      Set.of("application/octet-stream", "application/vnd.apache.parquet");
  private static final String COLUMNS = "application/vnd.vramscope.columns";
  private static final int OF_ONE_KIND = 6;
  private static final Pattern LINK =
      Pattern.compile("<(?:a|link|script|img)\\b[^>]*?\\s(?:href|src)=\"([^\"]*)\"");
  private static final Pattern FORM = Pattern.compile("<form[^>]*\\saction=\"([^\"]*)\"");
  private static final String OOM =
      "CUDA out of memory. Tried to allocate 9.31 GiB. GPU 0 has a total capacity of 79.11 GiB of"
          + " which 1000 bytes is free. Process 7 has 70.00 GiB memory in use. ";

  private static LocalServer server;
  private static String id;
  private static String allocator;
  private static String block;

  @BeforeAll
  static void start() throws Exception {
    server = LocalServer.start();
    JsonNode stored =
        Json.of(server.post(SNAPSHOTS, UnsafeText.snapshot().getBytes(StandardCharsets.UTF_8)));
    // The pickle that the service writes has the same texts, also halves of surrogate pairs.
    byte[] pickle =
        UnsafeText.withHalves(
            server.get(SNAPSHOTS + "/" + stored.path("id").asString() + "/export").body());
    server.delete(SNAPSHOTS + "/" + stored.path("id").asString());
    HttpResponse<byte[]> uploaded = server.post(SNAPSHOTS, pickle, fileName());
    assertThat(uploaded.statusCode()).isEqualTo(201);
    id = Json.of(uploaded).path("id").asString();
    // Of the control characters, only the escape may be in an attached text.
    byte[] oom = utf8(OOM + UnsafeText.WITHOUT_NUL.replaceAll("[\\x00-\\x1a\\x7f]", ""));
    HttpResponse<byte[]> attached = server.post(SNAPSHOTS + "/" + id + "/evidence", oom);
    assertThat(attached.statusCode())
        .as(new String(attached.body(), StandardCharsets.UTF_8))
        .isEqualTo(201);
    JsonNode hosted = post("/api/v1/allocators", "{\"device\":\"sim:1GiB\"}");
    allocator = hosted.path("id").asString();
    block =
        post(
                "/api/v1/allocators/" + allocator + "/blocks",
                "{\"bytes\":4096,\"scope\":" + UnsafeText.quoted(UnsafeText.ENCODABLE) + "}")
            .path("block")
            .asString();
    post("/api/v1/allocators/" + allocator + "/blocks", "{\"bytes\":1000000000000}");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** The header with a file name in UTF-8, whose bytes are read as ISO 8859-1. */
  private static String[] fileName() {
    String name = "a\u202eb\u2066c\ufeffd\u2028e\u061cf.pickle";
    return new String[] {
      "Content-Disposition",
      "attachment; filename*=UTF-8''" + URLEncoder.encode(name, StandardCharsets.UTF_8)
    };
  }

  private static JsonNode post(String path, String body) {
    HttpResponse<byte[]> answer = server.post(path, utf8(body), JSON);
    assertThat(answer.statusCode()).as(path).isIn(200, 201, 507);
    return Json.of(answer);
  }

  @Test
  void everyAnswerOfTheApi() {
    Set<String> visited = new TreeSet<>();
    for (var path : Json.of(server.get("/api/docs.json")).path("paths").properties()) {
      JsonNode operation = path.getValue().path("get");
      if (!operation.isMissingNode() && !path.getKey().endsWith("/events")) {
        visit(path.getKey(), operation);
        visited.add(path.getKey());
      }
      // Names of what does not exist are repeated in the problem.
      String unknown = path.getKey().replaceAll("\\{\\w+}", encoded());
      check(server.get(unknown));
      check(server.delete(unknown));
      check(
          server.post(
              unknown,
              utf8(
                  "{"
                      + UnsafeText.quoted(UnsafeText.ALL)
                      + ":"
                      + UnsafeText.quoted(UnsafeText.ALL)
                      + "}"),
              JSON));
      check(
          server.patch(
              concrete(path.getKey()),
              utf8("{" + UnsafeText.quoted(UnsafeText.ALL) + ":1}"),
              JSON));
      check(
          server.post(
              concrete(path.getKey()),
              utf8("{" + UnsafeText.quoted(UnsafeText.ALL) + ":1}"),
              JSON));
    }
    assertThat(visited).contains(SNAPSHOTS + "/{id}/export", "/api/v1/runs").hasSizeGreaterThan(40);
  }

  /** As it is, and with each parameter of text. */
  private static void visit(String path, JsonNode operation) {
    StringBuilder required = new StringBuilder(concrete(path) + "?");
    List<String> texts = new ArrayList<>();
    for (JsonNode parameter : operation.path("parameters")) {
      String name = parameter.path("name").asString();
      boolean isQuery = parameter.path("in").asString().equals("query");
      boolean isText = parameter.toString().contains("\"string\"");
      if (isQuery && parameter.path("required").asBoolean(false)) {
        required.append(name).append('=').append(isText ? "u" : "0").append('&');
      }
      if (isQuery) {
        texts.add(name);
      }
    }
    check(server.get(required.toString()));
    for (String name : texts) {
      check(server.get(required + name + "=" + encoded()));
    }
  }

  private static String concrete(String path) {
    String known = path.startsWith("/api/v1/allocators/") ? allocator : id;
    return path.replace("{id}", known)
        .replace("{block}", block)
        .replace("{stack}", "1")
        .replaceAll("\\{\\w+}", "1");
  }

  private static String encoded() {
    return URLEncoder.encode(UnsafeText.ENCODABLE, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Test
  void everyFormat() {
    for (ExportFormat format : ExportFormat.values()) {
      check(server.get(SNAPSHOTS + "/" + id + "/export?format=" + format.id()));
    }
    for (FlameFormat format : FlameFormat.values()) {
      check(
          server.get(
              SNAPSHOTS + "/" + id + "/flame/export?measure=allocated&format=" + format.id()));
    }
    for (ReportFormat format : ReportFormat.values()) {
      check(server.get(SNAPSHOTS + "/" + id + "/report?format=" + format.id()));
      check(server.get("/snapshots/" + id + "/report?format=" + format.id()));
      check(
          server.post("/api/v1/explain?format=" + format.id(), utf8(OOM + UnsafeText.WITHOUT_NUL)));
    }
    check(
        server.post(
            "/api/v1/explain", utf8(OOM + UnsafeText.WITHOUT_NUL), "Accept", "application/json"));
    String perfetto = latin1(server.get(SNAPSHOTS + "/" + id + "/export?format=perfetto").body());
    assertThat(perfetto).contains("\\u001b").doesNotContain("u\u001bu");
  }

  @Test
  void jsonAndThePickleLoseNothing() {
    String events = server.text(SNAPSHOTS + "/" + id + "/export?format=jsonl");
    JsonNode alloc = Json.of(events.lines().toList().get(1));
    assertThat(alloc.path("user_metadata").asString()).isEqualTo(UnsafeText.ALL);
    JsonNode event = Json.of(server.get(SNAPSHOTS + "/" + id + "/events/1"));
    assertThat(event.toString()).contains(Json.of(UnsafeText.quoted(UnsafeText.ALL)).toString());
    String pickle = latin1(server.get(SNAPSHOTS + "/" + id + "/export?format=torch").body());
    assertThat(pickle).contains("u\u001bu").contains("\u00ed\u00a0\u0080x\u00ed\u00b0\u0080x");
    assertThat(server.text(SNAPSHOTS + "/" + id + "/export?format=csv"))
        .contains("\\u001b", "\\ud800x\\udc00x");
  }

  /** Follows the links of all pages, as PageCrawlIT does. */
  @Test
  void everyPage() {
    Set<String> known = new LinkedHashSet<>(List.of("/"));
    Deque<String> waiting = new ArrayDeque<>(known);
    Map<String, Integer> ofOneKind = new HashMap<>();
    for (Tab tab : Tab.values()) {
      waiting.add("/snapshots/" + id + tab.path());
    }
    waiting.addAll(
        List.of(
            "/snapshots?q=" + encoded(),
            "/snapshots/" + encoded(),
            "/compare?a=" + id + "&b=" + id,
            "/explain?text=" + encoded(),
            "/live/" + allocator,
            "/" + encoded()));
    while (!waiting.isEmpty()) {
      String url = waiting.remove();
      HttpResponse<byte[]> answer = server.get(url, "Accept", "text/html,*/*;q=0.8");
      String text = check(answer);
      if (text == null || !type(answer).startsWith("text/html")) {
        continue;
      }
      for (Matcher link = LINK.matcher(text); link.find(); ) {
        URI target =
            URI.create("http://localhost" + url).resolve(link.group(1).replace("&amp;", "&"));
        String next =
            target.getRawPath() + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
        boolean isOwn = "localhost".equals(target.getHost());
        if (isOwn
            && known.add(next)
            && ofOneKind.merge(kind(next), 1, Integer::sum) < OF_ONE_KIND) {
          waiting.add(next);
        }
      }
      for (Matcher form = FORM.matcher(text); form.find(); ) {
        check(server.get(form.group(1).replaceFirst("\\?.*", "") + "?text=" + encoded()));
      }
    }
    for (Tab tab : Tab.values()) {
      assertThat(known).anyMatch(url -> url.startsWith("/snapshots/" + id + tab.path()));
    }
  }

  private static String kind(String url) {
    String query = url.contains("?") ? url.substring(url.indexOf('?')) : "";
    return url.replaceFirst("\\?.*", "") + query.replaceAll("=[^&]*", "");
  }

  @Test
  void formsOfBrowsers() {
    String text = URLEncoder.encode(OOM + UnsafeText.WITHOUT_NUL, StandardCharsets.UTF_8);
    String[] form = {
      "Content-Type",
      "application/x-www-form-urlencoded",
      "Accept",
      "text/html",
      "Sec-Fetch-Site",
      "same-origin"
    };
    for (String path :
        List.of(
            "/explain", "/snapshots/" + id + "/edit", "/snapshots/" + id + "/evidence", "/live")) {
      check(
          server.post(
              path,
              utf8("text=" + text + "&name=" + text + "&settings=" + text + "&job=" + text),
              form));
    }
  }

  @Test
  void rejectedFiles() {
    String text = UnsafeText.quoted(UnsafeText.ALL);
    for (String file :
        List.of(
            UnsafeText.ALL,
            "{\"segments\": " + text + "}",
            "{\"segments\": [{\"address\": " + text + "}], \"device_traces\": []}",
            "{\"segments\": [{" + text + ": 1}], \"device_traces\": []}",
            "{" + text + ": " + text + "}",
            "[" + text + "]")) {
      check(server.post(SNAPSHOTS, utf8(file)));
      check(server.post(SNAPSHOTS + "?name=" + encoded() + "&job=" + encoded(), utf8(file)));
      check(server.post(SNAPSHOTS, multipart("a\u001b\u202e\u009b.pickle", file), multipartType()));
    }
    check(
        server.post(
            SNAPSHOTS,
            multipart("a\u001b\u202e\u009b.json", UnsafeText.snapshot().replace("4096", "8192")),
            multipartType()));
    check(server.get(SNAPSHOTS));
    check(server.get("/snapshots"));
  }

  private static String[] multipartType() {
    return new String[] {"Content-Type", "multipart/form-data; boundary=BOUNDARY"};
  }

  private static byte[] multipart(String name, String file) {
    return utf8(
        "--BOUNDARY\r\nContent-Disposition: form-data; name=\"file\"; filename=\""
            + name
            + "\"\r\n\r\n"
            + file
            + "\r\n--BOUNDARY--\r\n");
  }

  @Test
  void eventStream() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = server.at("/api/v1/allocators/events?view=" + allocator);
      HttpResponse<InputStream> answer =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream());
      try (InputStream in = answer.body()) {
        String frame = UnsafeText.assertVisible("a frame", frame(in));
        assertThat(frame).contains("data: ").contains("forged");
      }
    }
  }

  /** Up to the first empty line. */
  private static byte[] frame(InputStream in) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    for (int last = 0, each = in.read(); each >= 0; last = each, each = in.read()) {
      frame.write(each);
      if (each == '\n' && last == '\n') {
        break;
      }
    }
    return frame.toByteArray();
  }

  @Test
  void log(CapturedOutput output) throws Exception {
    Logger log = LoggerFactory.getLogger(UnsafeTextIT.class);
    Exception cause = new IOException(UnsafeText.ALL);
    IllegalStateException failure = new IllegalStateException("failure " + UnsafeText.ALL, cause);
    failure.addSuppressed(new IllegalArgumentException("own " + UnsafeText.ALL));
    log.error("entry {}", UnsafeText.ALL, failure);
    Thread named = new Thread(() -> log.warn("thread"), "name" + UnsafeText.ALL);
    named.start();
    named.join();
    awaitReplays();
    UnsafeText.assertVisible("the log", output.getAll());
    assertThat(output).contains("entry u\\u0000u", "failure u\\u0000u", "own u\\u0000u");
    assertThat(output.getAll().lines()).noneMatch(line -> line.startsWith("forged"));
    assertThat(output.getAll().lines().filter(line -> line.contains("cannot be replayed")))
        .allMatch(line -> line.contains(" WARN "))
        .hasSizeBetween(1, 2);
    assertThat(output.getAll().lines())
        .noneMatch(
            line ->
                line.contains("ERROR")
                    && !line.contains(UnsafeTextIT.class.getName())
                    && !line.contains("UnsafeTextIT"));
  }

  /** The settings of the recording are no settings of PyTorch. */
  private static void awaitReplays() {
    String path = "/snapshots/" + id + "/whatif";
    await("the replays have ended")
        .atMost(Duration.ofMinutes(1))
        .until(() -> !server.text(path).contains("data-running=\"true\""));
  }

  /** Checks headers and text; returns the text, or null for a binary body. */
  private static @Nullable String check(HttpResponse<byte[]> answer) {
    String where = answer.request().method() + " " + answer.uri();
    where = where.length() > 200 ? where.substring(0, 200) : where;
    String headers =
        answer.headers().map().entrySet().stream()
            .map(header -> header.getKey() + ": " + header.getValue())
            .collect(Collectors.joining("\n"));
    UnsafeText.assertVisible(where, headers);
    String type = type(answer).replaceFirst(";.*", "");
    assertThat(answer.statusCode()).as(where).isNotEqualTo(500);
    if (BINARY.contains(type)) {
      return null;
    }
    byte[] body = answer.body();
    if (type.equals(COLUMNS)) {
      int length = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
      return UnsafeText.assertVisible(where, Arrays.copyOfRange(body, 8, 8 + length));
    }
    String text = UnsafeText.assertVisible(where, body);
    if (!type.equals("text/csv")) { // Its lines end with CR LF.
      assertThat(text).as(where).doesNotContain("\r");
    }
    return text;
  }

  private static String type(HttpResponse<byte[]> answer) {
    return answer.headers().firstValue("Content-Type").orElse("");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
