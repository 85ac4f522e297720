package dev.vramscope.format.export;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** Reads a pickle with Python; the test is skipped if python3 is not installed. */
final class Python {
  private Python() {}

  /** The output of {@code describe_pickle.py}, with the first {@code eventCount} events. */
  static Map<String, String> describe(Path pickle, int eventCount) {
    try (var script = Python.class.getResourceAsStream("describe_pickle.py")) {
      Path copy = Files.createTempFile("describe", ".py");
      try {
        Files.write(copy, script.readAllBytes());
        return run(List.of(copy.toString(), pickle.toString(), Integer.toString(eventCount)));
      } finally {
        Files.delete(copy);
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Map<String, String> run(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("python3"));
    command.addAll(arguments);
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .directory(Path.of("").toAbsolutePath().toFile())
              .start();
    } catch (IOException missing) {
      Assumptions.abort("skipped: python3 cannot be started: " + missing.getMessage());
      throw missing;
    }
    Map<String, String> found = new LinkedHashMap<>();
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      lines
          .lines()
          .forEach(
              line -> {
                int equals = line.indexOf('=');
                found.put(line.substring(0, equals), line.substring(equals + 1));
              });
      assertEquals(0, process.waitFor(), "exit status of " + command);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupted);
    }
    return found;
  }
}
