package dev.vramscope.cli;

import dev.vramscope.intake.IntakeFixture;
import dev.vramscope.intake.JsonSnapshots;
import dev.vramscope.store.listing.StoredSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Commands on the data folder of a running service with three snapshots, and on its backup. */
abstract class OnBackup {
  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  Path data;

  @SuppressWarnings("NullAway.Init")
  Path backup;

  @SuppressWarnings("NullAway.Init")
  IntakeFixture fixture;

  final List<StoredSnapshot> stored = new ArrayList<>();
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  @BeforeEach
  void store() throws Exception {
    data = folder.resolve("data");
    backup = folder.resolve("backup");
    fixture = new IntakeFixture(data);
    for (int seed = 0; seed < 3; seed++) {
      stored.add(fixture.upload("file " + seed, JsonSnapshots.file(seed, 40, 10_000)));
    }
  }

  @AfterEach
  void close() throws IOException {
    fixture.close();
  }

  OptionalInt backUp(String... options) {
    List<String> arguments = new ArrayList<>(List.of("backup"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("--data-dir", data.toString(), backup.toString()));
    return run(arguments.toArray(String[]::new));
  }

  OptionalInt run(String... arguments) {
    output.reset();
    PrintStream print = new PrintStream(output, true, StandardCharsets.UTF_8);
    return new CommandLine(print, print, Map.of()).run(arguments);
  }

  /** What the last command has printed. */
  String output() {
    return output.toString(StandardCharsets.UTF_8);
  }

  static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  static List<Path> originals(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".zst")).sorted().toList();
    }
  }
}
