package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestExtent;
import dev.vramscope.web.Endpoints.Endpoint;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** No value of a parameter or a header is a failure of the server. */
class FuzzedParametersIT extends OnSnapshotShapes {
  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z]+)}");

  private static final String CONTINUE = "HTTP/1.1 100 \r\n\r\n";

  /** How many malformed headers each endpoint gets. */
  private static final int LINES = TestExtent.of(2, WrongHeaders.RAW_LINES.size());

  /** Streams that end only with their client. */
  private static final Set<String> ENDLESS =
      Set.of("/api/v1/allocators/events", "/api/v1/allocators/{id}/events");

  @BeforeAll
  static void storeOthers() {
    shapes.put("dump", stored("dump", dump()));
    shapes.put("requests", stored("requests", requestLog()));
  }

  private static String stored(String name, String file) {
    byte[] body = file.getBytes(StandardCharsets.UTF_8);
    return Json.of(server.post("/api/v1/snapshots?name=" + name, body)).path("id").asString();
  }

  private static String dump() {
    String line = "2024-01-01 00:00:00.000001: I tsl/bfc_allocator.cc:1083] ";
    return line
        + "InUse at 7f0000000000 of size 512 next 1\n"
        + line
        + "Free  at 7f0000000200 of size 512 next 1\n";
  }

  private static String requestLog() {
    return """
    Thread,Time,Action,Pointer,Size,Stream
    1,10:00:00.000001,allocate,0x7f0000000000,1048576,0x0
    1,10:00:00.000002,allocate failure,0x0,1073741824,0x0
    1,10:00:00.000003,free,0x7f0000000000,1048576,0x0
    """;
  }

  @Test
  void noGetRequestFailsInTheServer() throws Exception {
    List<String> paths = new ArrayList<>();
    for (Endpoint endpoint : Endpoints.of(server)) {
      if (!endpoint.isGet() || ENDLESS.contains(endpoint.pattern())) {
        continue;
      }
      if (endpoint.pattern().contains("/snapshots/{id}")) {
        for (String id : shapes.values()) {
          paths.addAll(paths(endpoint, id, WrongValues.OF_PARAMETERS));
        }
      } else {
        paths.addAll(paths(endpoint, "1", WrongValues.OF_PARAMETERS));
      }
    }
    assertThat(paths).hasSizeGreaterThan(3000);
    assertThat(failed(paths)).isEmpty();
  }

  /** An endpoint with each of some values for each parameter and variable. */
  private static List<String> paths(Endpoint endpoint, String id, List<String> values) {
    List<String> paths = new ArrayList<>();
    String plain = path(endpoint.pattern(), id, "0");
    paths.add(plain);
    String complete = complete(plain);
    for (String value : values) {
      String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
      for (String parameter : endpoint.parameters()) {
        paths.add(plain + "?" + parameter + "=" + encoded);
        if (!complete.isEmpty()) {
          paths.add(plain + "?" + replaced(complete, parameter, encoded));
        }
      }
      if (!value.isEmpty() && endpoint.pattern().replace("{id}", "").contains("{")) {
        paths.add(path(endpoint.pattern(), id, encoded));
      }
    }
    return paths;
  }

  /** A query with all that a page needs to compute something. */
  private static String complete(String path) {
    return path.equals("/plan")
        ? String.format(
            "id=%s&id=%s&name=batch&value=2&value=4&at=8",
            shapes.get("no-stacks"), shapes.get("trace-only"))
        : "";
  }

  /** A query in which a parameter has another value; the last one, if it has several. */
  private static String replaced(String query, String parameter, String value) {
    int from = ("&" + query).lastIndexOf("&" + parameter + "=");
    int to = from < 0 ? -1 : query.indexOf('&', from);
    String without =
        from < 0 ? query : query.substring(0, from) + (to < 0 ? "" : query.substring(to + 1));
    return without + "&" + parameter + "=" + value;
  }

  private static String path(String pattern, String id, String other) {
    Matcher variables = VARIABLE.matcher(pattern);
    return variables.replaceAll(
        found -> Matcher.quoteReplacement(found.group(1).equals("id") ? id : other));
  }

  private static List<String> failed(List<String> paths) throws Exception {
    List<String> chosen = WrongValues.chosen(paths);
    List<Callable<String>> requests = new ArrayList<>();
    for (int i = 0; i < chosen.size(); i++) {
      String path = chosen.get(i);
      List<String> header =
          path.contains("?") ? WrongHeaders.besideParameters(i) : WrongHeaders.any(i);
      requests.add(() -> failure(path, header));
    }
    try (ExecutorService clients = Executors.newFixedThreadPool(4)) {
      List<String> failed = new ArrayList<>();
      for (Future<String> request : clients.invokeAll(requests)) {
        if (!request.get().isEmpty()) {
          failed.add(request.get());
        }
      }
      return failed;
    }
  }

  /** The status and the request, if it is a failure of the server; otherwise empty. */
  private static String failure(String path, List<String> header) {
    List<String> headers = new ArrayList<>(header);
    if (!header.getFirst().equals("Accept")) {
      headers.addAll(List.of("Accept", accept(path)));
    }
    HttpResponse<byte[]> answer = server.get(path, headers.toArray(String[]::new));
    return isFailure(answer) ? answer.statusCode() + " " + path + " " + headers : "";
  }

  @Test
  void noMalformedHeaderFailsInTheServer() throws IOException {
    List<String> lines = WrongHeaders.RAW_LINES;
    List<String> failed = new ArrayList<>();
    int sent = 0;
    for (Endpoint endpoint : Endpoints.of(server)) {
      for (int i = 0; i < LINES && !ENDLESS.contains(endpoint.pattern()); i++) {
        String line = lines.get(sent++ % lines.size());
        String request = endpoint.method() + " " + path(endpoint.pattern(), "1", "0");
        int status = rawStatus(request + " HTTP/1.1\r\n" + line + "\r\nHost: localhost\r\n");
        boolean isKnown = status == 501 && line.startsWith("Transfer-Encoding: "); // RFC 9112, 6.1
        if (status < 200 || (status >= 500 && status != 503 && !isKnown)) {
          failed.add(status + " " + request + " " + line);
        }
      }
    }
    assertThat(failed).isEmpty();
    assertThat(sent).isGreaterThan(10 * lines.size());
  }

  private static int rawStatus(String head) throws IOException {
    try (RawClient client = RawClient.connect(server.at("/"))) {
      client.send(head + "Connection: close\r\n\r\n");
      String answer = client.response(Duration.ofSeconds(20));
      String last = answer.startsWith(CONTINUE) ? answer.substring(CONTINUE.length()) : answer;
      return last.startsWith("HTTP/1.1 ") ? Integer.parseInt(last.substring(9, 12)) : -1;
    }
  }

  private static String accept(String path) {
    return path.startsWith("/api/") ? "*/*" : "text/html";
  }

  /** 503 and 507 have a time, or say what to free. */
  private static boolean isFailure(HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    return status >= 500 && status != 503 && status != 507;
  }
}
