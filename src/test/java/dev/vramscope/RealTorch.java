package dev.vramscope;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * PyTorch itself on a simulated device, built by {@code script/realtorch} in {@code
 * target/realtorch}, or in the folder that {@code VRAMSCOPE_REALTORCH} names. Tests that need it
 * are skipped where it is not built.
 */
public final class RealTorch implements AutoCloseable {
  private static final Path SCRIPTS = Path.of("src/test/realtorch").toAbsolutePath();
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Path folder;
  private final Map<String, Process> workers = new HashMap<>();

  private RealTorch(Path folder) {
    this.folder = folder;
  }

  /** The built PyTorch; skips the test if there is none. */
  public static RealTorch orSkip() throws IOException, InterruptedException {
    String named = System.getenv("VRAMSCOPE_REALTORCH");
    Path folder = Path.of(named == null ? "target/realtorch" : named).toAbsolutePath();
    boolean built = Files.exists(folder.resolve("rt/built"));
    Assumptions.assumeTrue(
        built || named != null,
        "skipped: real PyTorch is not built; run script/realtorch, which takes 2 minutes and 3 GB");
    if (!built) {
      Process build = new ProcessBuilder("script/realtorch").inheritIO().start();
      Assumptions.assumeTrue(
          build.waitFor() == 0, "skipped: script/realtorch cannot build PyTorch here; see above");
    }
    return new RealTorch(folder);
  }

  /**
   * Runs a program of {@code hf} or {@code programs-unseen} as its author mended it, and returns
   * what {@code oomrec.py} writes.
   *
   * @param totalBytes the size of the device
   */
  public JsonNode runMended(Path program, long totalBytes)
      throws IOException, InterruptedException {
    Path result = Files.createTempFile("mended", ".json");
    Path log = Files.createTempFile("mended", ".txt");
    Path work = Files.createTempDirectory("mended");
    try {
      Process process =
          builder(
                  List.of(python(), program.toString()),
                  Map.of(
                      "FIX",
                      "1",
                      "OUT",
                      result.toString(),
                      "PYTHONPATH",
                      SCRIPTS.toString(),
                      "HF_HUB_OFFLINE",
                      "1",
                      "CUDA_VISIBLE_DEVICES",
                      "0",
                      "FAKE_GPU_BYTES",
                      String.valueOf(totalBytes)))
              .directory(work.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      process.waitFor();
      String written = Files.readString(result);
      return written.isEmpty()
          ? JSON.createObjectNode().put("failure", Files.readString(log))
          : JSON.readTree(written);
    } finally {
      Files.delete(result);
      Files.delete(log);
      FileSystemUtils.deleteRecursively(work);
    }
  }

  /** Skips the test if the libraries that those programs use are not installed. */
  public void requireLibraries() throws IOException, InterruptedException {
    Process build = new ProcessBuilder("script/realtorch", "--libraries").inheritIO().start();
    Assumptions.assumeTrue(
        build.waitFor() == 0, "skipped: pip finds no transformers and lightning here; see above");
  }

  /** Runs a script of {@code src/test/realtorch}, and returns the lines that it prints. */
  public List<String> run(Map<String, String> environment, String script, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(python(), SCRIPTS.resolve(script).toString()));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile("realtorch", ".txt");
    try {
      Process process =
          builder(command, environment)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      int status = process.waitFor();
      List<String> lines = Files.readAllLines(output);
      assertEquals(0, status, () -> command + "\n" + String.join("\n", lines));
      return lines;
    } finally {
      Files.delete(output);
    }
  }

  /**
   * Runs a program of {@code failures/} and returns what {@code failures/worker.py} answers.
   *
   * @param settings the {@code PYTORCH_CUDA_ALLOC_CONF}
   * @param job the members of the worker's input
   */
  public JsonNode runFailing(String settings, Map<String, ?> job) {
    Process worker = workers.computeIfAbsent(settings, this::startWorker);
    PrintWriter in = new PrintWriter(worker.outputWriter(StandardCharsets.UTF_8), true);
    in.println(JSON.writeValueAsString(job));
    try {
      BufferedReader answers = worker.inputReader(StandardCharsets.UTF_8);
      String line = answers.readLine();
      JsonNode answer = line == null ? JSON.nullNode() : JSON.readTree(line);
      if (!answer.has("steps")) {
        throw new AssertionError(job + " under \"" + settings + "\": " + line);
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process startWorker(String settings) {
    try {
      return builder(
              List.of(python(), "-m", "failures.worker"),
              Map.of("PYTORCH_CUDA_ALLOC_CONF", settings))
          .directory(SCRIPTS.toFile())
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String python() {
    return folder.resolve("venv/bin/python").toString();
  }

  private ProcessBuilder builder(List<String> command, Map<String, String> environment) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.environment().put("LD_LIBRARY_PATH", folder.resolve("rt").toString());
    return builder;
  }

  @Override
  public void close() {
    workers.values().forEach(Process::destroy);
  }
}
