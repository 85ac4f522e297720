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

/** A client of the service's REST interface. */
final class ServiceClient {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int FIRST_ERROR = 400;

  private final URI base;
  private final @Nullable String token;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final JsonMapper json = new JsonMapper();

  /**
   * Creates a client.
   *
   * @param base the address of the service, such as {@code http://127.0.0.1:8080}
   * @param token the access token, or null if the service requires none
   */
  ServiceClient(URI base, @Nullable String token) {
    this.base = base;
    this.token = token;
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return send("GET", path, null);
  }

  JsonNode post(String path, Map<String, ?> body) throws IOException, InterruptedException {
    return send("POST", path, body);
  }

  JsonNode delete(String path) throws IOException, InterruptedException {
    return send("DELETE", path, null);
  }

  /** Sends a request and returns any response, including errors. */
  HttpResponse<String> raw(String method, String path, @Nullable Map<String, ?> body)
      throws IOException, InterruptedException {
    try {
      return client.send(request(method, path, body), BodyHandlers.ofString());
    } catch (ConnectException refused) {
      throw new IOException(
          "There is no service at " + base + ". Start it, or name another one with --server.",
          refused);
    }
  }

  /** Requests the plain-text form of a resource. */
  String text(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(request("GET", path, null), (_, _) -> true)
            .header("Accept", "text/plain")
            .build();
    return require(client.send(request, BodyHandlers.ofString()), "GET", path);
  }

  /**
   * The workload scale: a third of full size keeps a GPU busy for seconds; an emulated device runs
   * on the CPU and needs less.
   */
  double workloadScale() throws IOException, InterruptedException {
    return isEmulated() ? 0.03 : 0.3;
  }

  /** Whether the driver is the emulator, without a GPU. */
  boolean isEmulated() throws IOException, InterruptedException {
    return get("/api/v1/devices").get("driver").path("emulated").asBoolean();
  }

  /** Opens a streaming response, such as server-sent events. */
  InputStream stream(String path) throws IOException, InterruptedException {
    return client.send(request("GET", path, null), BodyHandlers.ofInputStream()).body();
  }

  private JsonNode send(String method, String path, @Nullable Map<String, ?> body)
      throws IOException, InterruptedException {
    String text = require(raw(method, path, body), method, path);
    return text.isEmpty() ? json.nullNode() : json.readTree(text);
  }

  private static String require(HttpResponse<String> response, String method, String path) {
    CheckFailure.require(
        response.statusCode() < FIRST_ERROR,
        "%s %s returned %d: %s"
            .formatted(method, path, response.statusCode(), response.body().strip()));
    return response.body();
  }

  private HttpRequest request(String method, String path, @Nullable Map<String, ?> body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(TIMEOUT)
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
