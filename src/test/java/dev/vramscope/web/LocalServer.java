package dev.vramscope.web;

import dev.vramscope.VramscopeApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;

/** The whole service in this process, on a free port, with a data folder of its own. */
final class LocalServer implements AutoCloseable {
  static {
    // Also on a machine with other work; a condition that is met takes no longer.
    Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
  }

  private final Path dataFolder;
  private final ConfigurableApplicationContext context;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI base;

  private final boolean keepsFolder;

  private LocalServer(
      Path dataFolder, boolean keepsFolder, ConfigurableApplicationContext context) {
    this.dataFolder = dataFolder;
    this.keepsFolder = keepsFolder;
    this.context = context;
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    base = URI.create("http://localhost:" + port);
  }

  static LocalServer start(String... arguments) {
    try {
      Path folder = Files.createTempDirectory("vramscope-it");
      return start(folder, /* keepsFolder= */ false, arguments);
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  /** With a data folder that remains after the server is closed. */
  static LocalServer startIn(Path folder) {
    return start(folder, /* keepsFolder= */ true);
  }

  private static LocalServer start(Path folder, boolean keepsFolder, String... arguments) {
    String[] fixed = {"--server.port=0", "--vramscope.data-dir=" + folder};
    String[] all =
        Stream.concat(Arrays.stream(fixed), Arrays.stream(arguments)).toArray(String[]::new);
    return new LocalServer(
        folder, keepsFolder, SpringApplication.run(VramscopeApplication.class, all));
  }

  /** A component of the service. */
  <T> T bean(String name, Class<T> type) {
    return context.getBean(name, type);
  }

  Path dataFolder() {
    return dataFolder;
  }

  URI at(String path) {
    return base.resolve(path);
  }

  /** GET with headers given as name, value, name, value. */
  HttpResponse<byte[]> get(String path, String... headers) {
    return send(request(path, headers).GET().build());
  }

  /** The answer as text; see {@link PageText}. */
  String text(String path, String... headers) {
    return PageText.of(get(path, headers));
  }

  HttpResponse<byte[]> post(String path, byte[] body, String... headers) {
    return send(request(path, headers).POST(BodyPublishers.ofByteArray(body)).build());
  }

  HttpResponse<byte[]> post(String path, Path file, String... headers) {
    try {
      return send(request(path, headers).POST(BodyPublishers.ofFile(file)).build());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Uploads a bundled sample, which may be stored already, and returns its id. */
  String upload(String sample) {
    return Json.of(post("/api/v1/snapshots", SampleFiles.gzip(sample))).path("id").asString();
  }

  HttpResponse<byte[]> patch(String path, byte[] body, String... headers) {
    return send("PATCH", path, body, headers);
  }

  HttpResponse<byte[]> delete(String path, String... headers) {
    return send(request(path, headers).DELETE().build());
  }

  HttpResponse<byte[]> head(String path) {
    return send(request(path).HEAD().build());
  }

  HttpResponse<byte[]> send(String method, String path, byte[] body, String... headers) {
    return send(request(path, headers).method(method, BodyPublishers.ofByteArray(body)).build());
  }

  private HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(at(path));
    return headers.length == 0 ? request : request.headers(headers);
  }

  private HttpResponse<byte[]> send(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofByteArray());
    } catch (IOException broken) {
      throw new UncheckedIOException(request.toString(), broken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  @Override
  public void close() {
    client.close();
    context.close();
    if (!keepsFolder) {
      FileSystemUtils.deleteRecursively(dataFolder.toFile());
    }
  }
}
