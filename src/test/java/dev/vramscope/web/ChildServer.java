package dev.vramscope.web;

import dev.vramscope.VramscopeApplication;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/** The service in a child process with a limited heap. */
final class ChildServer implements AutoCloseable {
  private static final Duration MAX_START_TIME = Duration.ofMinutes(4);

  private final Process process;
  private final Path folder;
  private final URI base;

  private ChildServer(Process process, Path folder, URI base) {
    this.process = process;
    this.folder = folder;
    this.base = base;
  }

  static ChildServer start(List<String> javaOptions, String... arguments)
      throws IOException, InterruptedException {
    return start(javaOptions, Map.of(), arguments);
  }

  static ChildServer start(
      List<String> javaOptions, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("vramscope-child");
    int port = freePort();
    Process process = launch(javaOptions, environment, folder, port, arguments);
    URI base = URI.create("http://localhost:" + port);
    ChildServer server = new ChildServer(process, folder, base);
    if (!server.isHealthyWithin(MAX_START_TIME)) {
      String log = server.log();
      server.close();
      throw new IllegalStateException("the server did not start:\n" + log);
    }
    return server;
  }

  /** Runs the service until it exits, and returns its output. */
  static String outputOf(String... arguments) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("vramscope-child");
    Process process =
        launch(List.of("-XX:TieredStopAtLevel=1"), Map.of(), folder, freePort(), arguments);
    try {
      if (!process.waitFor(MAX_START_TIME.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "the server did not exit:\n" + Files.readString(folder.resolve("log")));
      }
      return Files.readString(folder.resolve("log"));
    } finally {
      process.destroyForcibly();
      FileSystemUtils.deleteRecursively(folder);
    }
  }

  private static Process launch(
      List<String> javaOptions,
      Map<String, String> environment,
      Path folder,
      int port,
      String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(javaOptions);
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(VramscopeApplication.class.getName());
    command.add("--server.port=" + port);
    command.add("--vramscope.data-dir=" + folder.resolve("data"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return builder.redirectOutput(folder.resolve("log").toFile()).start();
  }

  URI at(String path) {
    return base.resolve(path);
  }

  String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  /** Sends SIGTERM, and returns the time until the process has exited. */
  Duration terminate() {
    long start = System.nanoTime();
    process.destroy();
    try {
      process.waitFor(MAX_START_TIME.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  private boolean isHealthyWithin(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    HttpRequest health = HttpRequest.newBuilder(at("/actuator/health")).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (System.nanoTime() < end && process.isAlive()) {
        try {
          if (client.send(health, BodyHandlers.discarding()).statusCode() == 200) {
            return true;
          }
        } catch (IOException notYet) {
          // Not listening yet.
        }
        Thread.sleep(200);
      }
    }
    return false;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException stopped) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    FileSystemUtils.deleteRecursively(folder);
  }
}
