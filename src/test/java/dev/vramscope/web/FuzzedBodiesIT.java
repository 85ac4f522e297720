package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.web.Endpoints.Endpoint;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No form, no JSON and no method is a failure of the server. */
class FuzzedBodiesIT extends OnSnapshotShapes {
  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z]+)}");

  private static final String BOUNDARY = "b0undary";

  private static final int TRIES = 5;

  /** They measure for seconds. */
  private static final String MEASUREMENT = "/latency";

  /** What is sent to an endpoint. */
  private record Sent(String method, String path, String type, String body, List<String> header) {
    Sent(String method, String path, String type, String body) {
      this(method, path, type, body, List.of());
    }

    /** The status and the request, if it is a failure of the server; otherwise empty. */
    String failure() {
      HttpResponse<byte[]> answer = answer(TRIES);
      String shown = body.length() > 300 ? body.substring(0, 300) : body;
      return isFailure(answer.statusCode())
          ? answer.statusCode()
              + " "
              + method
              + " "
              + path
              + " "
              + type
              + " <"
              + shown
              + "> "
              + header
          : "";
    }

    /** A connection that ends after a rejected head can lose its answer while the body is sent. */
    private HttpResponse<byte[]> answer(int tries) {
      try {
        List<String> headers = new ArrayList<>(header);
        headers.addAll(List.of("Content-Type", type));
        return server.send(
            method, path, body.getBytes(StandardCharsets.UTF_8), headers.toArray(String[]::new));
      } catch (UncheckedIOException ended) {
        if (tries == 1) {
          throw ended;
        }
        return answer(tries - 1);
      }
    }
  }

  /** 503 and 507 have a time, or say what to free. */
  private static boolean isFailure(int status) {
    return status >= 500 && status != 503 && status != 507;
  }

  @AfterEach
  void closeAllocators() {
    Json.of(server.text("/api/v1/allocators"))
        .findValues("id")
        .forEach(id -> server.delete("/api/v1/allocators/" + id.asString()));
  }

  /** The path of an endpoint of a snapshot or of a new allocator; its other variables are given. */
  private String path(String pattern, String other) {
    String id = shapes.getOrDefault("two-devices", "");
    if (pattern.contains("/allocators/{id}") || pattern.startsWith("/live/{id}")) {
      closeAllocators();
      byte[] body = "{\"device\": \"sim:16MiB\"}".getBytes(StandardCharsets.UTF_8);
      id =
          Json.of(server.post("/api/v1/allocators", body, "Content-Type", "application/json"))
              .path("id")
              .asString();
    }
    String found = id;
    Matcher variables = VARIABLE.matcher(pattern);
    return variables.replaceAll(
        variable -> Matcher.quoteReplacement(variable.group(1).equals("id") ? found : other));
  }

  private static Set<String> failed(List<Sent> requests) throws Exception {
    Set<String> failed = new LinkedHashSet<>();
    try (ExecutorService clients = Executors.newFixedThreadPool(4)) {
      List<Callable<String>> all =
          WrongValues.chosen(requests).stream()
              .<Callable<String>>map(request -> request::failure)
              .toList();
      for (Future<String> request : clients.invokeAll(all)) {
        failed.add(request.get());
      }
    }
    failed.remove("");
    return failed;
  }

  private static List<Endpoint> posts() {
    return Endpoints.of(server).stream()
        .filter(each -> each.method().equals("POST") && !each.pattern().endsWith(MEASUREMENT))
        .toList();
  }

  @Test
  void noBodyOfAnyTypeFailsInTheServer() throws Exception {
    List<String> types =
        List.of(
            "application/json",
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "multipart/form-data; boundary=" + "b".repeat(4200),
            "/",
            "text/plain; charset=no-such");
    Set<String> failed = new LinkedHashSet<>();
    for (Endpoint endpoint : posts()) {
      List<Sent> requests = new ArrayList<>();
      String path = path(endpoint.pattern(), "0");
      for (String value : WrongValues.OF_PARAMETERS) {
        for (String type : types) {
          List<String> header = WrongHeaders.besideParameters(requests.size());
          requests.add(new Sent("POST", path, type, value, header));
        }
      }
      failed.addAll(failed(requests));
    }
    assertThat(failed).isEmpty();
  }

  @Test
  void noFormFailsInTheServer() throws Exception {
    int sent = 0;
    Set<String> failed = new LinkedHashSet<>();
    for (Endpoint endpoint : posts()) {
      List<Sent> requests = new ArrayList<>();
      String path = path(endpoint.pattern(), "0");
      for (String value : WrongValues.OF_PARAMETERS) {
        for (String parameter : endpoint.parameters()) {
          addForms(requests, path, List.of(parameter), value);
        }
        addForms(requests, path, endpoint.parameters(), value);
      }
      sent += requests.size();
      failed.addAll(failed(requests));
    }
    assertThat(failed).isEmpty();
    assertThat(sent).isGreaterThan(2000);
  }

  /** The same values in the query, in a form, and in a form of parts. */
  private static void addForms(
      List<Sent> requests, String path, List<String> parameters, String value) {
    String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
    String pairs = String.join("&", parameters.stream().map(name -> name + "=" + encoded).toList());
    requests.add(new Sent("POST", path + "?" + pairs, "application/json", "{}"));
    requests.add(new Sent("POST", path, "application/x-www-form-urlencoded", pairs));
    for (String file : List.of("", "; filename=\"a\"")) {
      StringBuilder parts = new StringBuilder();
      for (String name : parameters) {
        parts.append("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"");
        parts.append(name).append('"').append(file).append("\r\n\r\n").append(value);
        parts.append("\r\n");
      }
      parts.append("--" + BOUNDARY + "--\r\n");
      requests.add(
          new Sent("POST", path, "multipart/form-data; boundary=" + BOUNDARY, parts.toString()));
    }
  }

  @Test
  void noJsonFailsInTheServer() throws Exception {
    Map<String, String> examples =
        new JsonBodies(Json.of(server.text("/api/docs.json"))).examples();
    assertThat(examples.keySet())
        .contains(
            "PATCH /api/v1/snapshots/{id}",
            "POST /api/v1/allocators",
            "POST /api/v1/allocators/{id}/blocks",
            "POST /api/v1/allocators/{id}/workloads",
            "POST /api/v1/lab/run",
            "POST /api/v1/plans",
            "POST /api/v1/snapshots/{id}/whatif");
    Set<String> failed = new LinkedHashSet<>();
    for (Map.Entry<String, String> endpoint : examples.entrySet()) {
      String method = endpoint.getKey().substring(0, endpoint.getKey().indexOf(' '));
      String path = path(endpoint.getKey().substring(method.length() + 1), "0");
      List<Sent> requests = new ArrayList<>();
      for (String body : JsonBodies.faulty(realistic(endpoint.getValue()))) {
        requests.add(new Sent(method, path, "application/json", body));
      }
      failed.addAll(failed(requests));
    }
    assertThat(failed).isEmpty();
  }

  /** Examples with snapshots that are stored, and small devices. */
  private static String realistic(String example) {
    return example
        .replace("4f2c9a1be0d7", shapes.getOrDefault("no-stacks", ""))
        .replace("sim:16GiB", "sim:16MiB");
  }

  @Test
  void noMethodFailsInTheServer() throws Exception {
    Set<String> known = new TreeSet<>();
    Set<String> patterns = new TreeSet<>();
    for (Endpoint endpoint : Endpoints.of(server)) {
      known.add(endpoint.method() + " " + endpoint.pattern());
      patterns.add(endpoint.pattern());
    }
    List<Sent> requests = new ArrayList<>();
    for (String pattern : patterns) {
      for (String method : List.of("HEAD", "PUT", "PATCH", "DELETE", "POST", "OPTIONS", "TRACE")) {
        if (!known.contains(method + " " + pattern) && !pattern.endsWith("/events")) {
          String path = VARIABLE.matcher(pattern).replaceAll("0");
          List<String> header = WrongHeaders.any(requests.size());
          requests.add(new Sent(method, path, "application/json", "{}", header));
        }
      }
      for (String value : known.contains("DELETE " + pattern) ? WRONG_IDS : List.<String>of()) {
        String path = VARIABLE.matcher(pattern).replaceAll(Matcher.quoteReplacement(value));
        requests.add(new Sent("DELETE", path, "application/json", ""));
        String other = path(pattern, value);
        if (!pattern.endsWith("{id}")) {
          requests.add(new Sent("DELETE", other, "application/json", ""));
        }
      }
    }
    assertThat(requests).hasSizeGreaterThan(400);
    assertThat(failed(requests)).isEmpty();
  }

  private static final List<String> WRONG_IDS =
      WrongValues.OF_PARAMETERS.stream()
          .filter(value -> !value.isEmpty())
          .map(value -> URLEncoder.encode(value, StandardCharsets.UTF_8))
          .toList();

  @Test
  void headIsAnsweredAsGetIs() throws Exception {
    List<Sent> requests = new ArrayList<>();
    for (Endpoint endpoint : Endpoints.of(server)) {
      if (endpoint.isGet() && !endpoint.pattern().endsWith("/events")) {
        for (String id : shapes.values()) {
          String path = endpoint.pattern().replace("{id}", id);
          List<String> header = WrongHeaders.any(requests.size());
          requests.add(
              new Sent(
                  "HEAD", VARIABLE.matcher(path).replaceAll("0"), "application/json", "", header));
        }
      }
    }
    assertThat(failed(requests)).isEmpty();
  }
}
