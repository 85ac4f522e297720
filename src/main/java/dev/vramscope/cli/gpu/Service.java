package dev.vramscope.cli.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A running service, as its REST clients see it. */
final class Service {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int FIRST_ERROR = 400;

  private final URI base;
  private final @Nullable String token;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final JsonMapper json = new JsonMapper();

  /**
   * A service.
   *
   * @param base where it listens, such as {@code http://127.0.0.1:8080}
   * @param token what it asks for, or null
   */
  Service(URI base, @Nullable String token) {
    this.base = base;
    this.token = token;
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return answer("GET", path, null);
  }

  JsonNode post(String path, Map<String, ?> body) throws IOException, InterruptedException {
    return answer("POST", path, body);
  }

  JsonNode delete(String path) throws IOException, InterruptedException {
    return answer("DELETE", path, null);
  }

  /** What any request gets, an error too. */
  HttpResponse<String> raw(String method, String path, @Nullable Map<String, ?> body)
      throws IOException, InterruptedException {
    try {
      return client.send(request(method, path, body), BodyHandlers.ofString());
    } catch (ConnectException refused) {
      throw new IOException(
          "Nobody answers at " + base + ". Start the service, or name it by --server.", refused);
    }
  }

  /** A text as the service writes it. */
  String text(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(request("GET", path, null), (_, _) -> true)
            .header("Accept", "text/plain")
            .build();
    return require(client.send(request, BodyHandlers.ofString()), "GET", path);
  }

  /**
   * How large a workload should be: a third of full size keeps a GPU busy for seconds; an emulated
   * card does its work on the processor.
   */
  double workloadScale() throws IOException, InterruptedException {
    return isEmulated() ? 0.03 : 0.3;
  }

  /** Whether no GPU stands behind the driver. */
  boolean isEmulated() throws IOException, InterruptedException {
    return get("/api/v1/devices").get("driver").path("emulated").asBoolean();
  }

  /** An answer that does not end, such as server-sent events. */
  InputStream stream(String path) throws IOException, InterruptedException {
    return client.send(request("GET", path, null), BodyHandlers.ofInputStream()).body();
  }

  private JsonNode answer(String method, String path, @Nullable Map<String, ?> body)
      throws IOException, InterruptedException {
    String text = require(raw(method, path, body), method, path);
    return text.isEmpty() ? json.nullNode() : json.readTree(text);
  }

  private static String require(HttpResponse<String> response, String method, String path) {
    CheckFailure.require(
        response.statusCode() < FIRST_ERROR,
        "%s %s answered %d: %s"
            .formatted(method, path, response.statusCode(), response.body().strip()));
    return response.body();
  }

  private HttpRequest request(String method, String path, @Nullable Map<String, ?> body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(PATIENCE)
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(json.writeValueAsString(body)));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return request.build();
  }
}
