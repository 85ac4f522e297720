package dev.vramscope.replay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A trace with the records that the original allocator produced for it. */
public record GoldenCase(Path folder) {
  private static final String TRACE = "trace.txt";
  private static final String CONFIG = "config.txt";
  private static final String EXPECTED = "expected.jsonl";

  /** All cases in a folder and the folders below it, sorted by path. */
  public static List<GoldenCase> below(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isDirectory)
          .map(GoldenCase::new)
          .filter(golden -> golden.find(TRACE).isPresent())
          .sorted((one, other) -> one.folder.compareTo(other.folder))
          .toList();
    }
  }

  /** A file of the case, plain or compressed. */
  private Optional<Path> find(String name) {
    return Stream.of("", ".gz", ".zst")
        .map(suffix -> folder.resolve(name + suffix))
        .filter(Files::exists)
        .findFirst();
  }

  private Path file(String name) {
    return find(name)
        .orElseThrow(() -> new InputException("it has no " + name + " (nor .gz or .zst of it)"));
  }

  /** The trace, plain or compressed. */
  Path trace() {
    return file(TRACE);
  }

  /** The configuration; empty if the case has none. */
  ReplayConfig config() throws IOException {
    Optional<Path> config = find(CONFIG);
    return config.isPresent() ? ReplayConfig.read(config.get()) : ReplayConfig.EMPTY;
  }

  /**
   * Replays the trace on the simulated device that the case describes.
   *
   * @return the first difference from the expected records, or empty
   */
  public Optional<String> firstDifference() throws IOException {
    ReplayConfig config = config();
    TraceKind kind = TraceKind.of(config);
    kind.warnings(config).forEach(System.err::println);
    return firstDifference(kind.replay());
  }

  /** Replays the trace with a given replay, for example on another device. */
  Optional<String> firstDifference(TraceReplay replay) throws IOException {
    Path expectation = file(EXPECTED);
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    replay.replay(config(), trace(), records);
    try (InputStream expected = TraceInput.open(expectation)) {
      return new RecordComparison(expected.readAllBytes(), records.toByteArray()).firstDifference();
    }
  }
}
