package dev.vramscope.replay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What an original did with a trace. */
public record GoldenCase(Path folder) {
  /** All cases in a folder and below, by name. */
  public static List<GoldenCase> below(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isDirectory)
          .filter(f -> file(f, "trace.txt").isPresent())
          .sorted()
          .map(GoldenCase::new)
          .toList();
    }
  }

  /** A file of the case, or its compressed form. */
  private static Optional<Path> file(Path folder, String name) {
    return Stream.of(folder.resolve(name), folder.resolve(name + ".gz"))
        .filter(Files::exists)
        .findFirst();
  }

  private Path file(String name) {
    return file(folder, name)
        .orElseThrow(
            () -> new InputException("there is no " + name + " and no " + name + ".gz in it"));
  }

  ReplayConfig config() throws IOException {
    return file(folder, "config.txt").isPresent()
        ? ReplayConfig.read(file("config.txt"))
        : ReplayConfig.EMPTY;
  }

  /**
   * Replays the trace.
   *
   * @return the first difference from what was expected, or nothing
   */
  public Optional<String> firstDifference() throws IOException {
    ReplayConfig config = config();
    TraceKind kind = TraceKind.of(config);
    kind.warnings(config).forEach(System.err::println);
    return firstDifference(kind.replay());
  }

  /** As above, by a certain replay. */
  Optional<String> firstDifference(TraceReplay replay) throws IOException {
    Path expectation = file("expected.jsonl");
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    replay.replay(config(), file("trace.txt"), records);
    try (InputStream expected = TraceInput.open(expectation)) {
      return new RecordComparison(expected.readAllBytes(), records.toByteArray()).firstDifference();
    }
  }
}
