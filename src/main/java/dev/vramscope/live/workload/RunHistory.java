package dev.vramscope.live.workload;

import dev.vramscope.model.JsonEscapes;
import dev.vramscope.store.codec.Crc32c;
import dev.vramscope.store.files.DataFiles;
import dev.vramscope.store.files.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The latest runs of all allocators, also of earlier processes, in a small file of the data folder.
 * The file is replaced as a whole, so it is complete after a crash, and has a checksum. A file that
 * is damaged is set aside under another name. If the file cannot be written, for example because
 * the disk is full, the runs are kept in memory. Thread-safe.
 */
@Component
public final class RunHistory {
  static final int MAX_RUNS = 200;

  private static final Logger LOG = LoggerFactory.getLogger(RunHistory.class);
  private static final String FILE = "runs.json";

  /**
   * The content of the file.
   *
   * @param checksum CRC-32C of {@code runs} as JSON without white space, in hexadecimal
   * @param runs the {@link EndedRun}s, oldest first
   */
  private record Content(String checksum, JsonNode runs) {}

  private final DataFiles files;
  private final JsonMapper json =
      JsonMapper.builder(JsonEscapes.factory())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();
  private final Deque<EndedRun> runs = new ArrayDeque<>();
  private @Nullable String readProblem;
  private @Nullable String writeProblem;

  /** Reads the runs of earlier processes. */
  RunHistory(DataFiles files) {
    this.files = files;
    read();
  }

  /** The runs, newest first. */
  public synchronized List<EndedRun> latest() {
    return List.copyOf(runs.reversed());
  }

  /** Why runs are missing from the file, as a sentence for users; null if they are not. */
  public synchronized @Nullable String problem() {
    return writeProblem != null ? writeProblem : readProblem;
  }

  /** Adds a run, or replaces its earlier state. */
  synchronized void put(EndedRun run) {
    runs.removeIf(each -> each.isOf(run.host().allocator(), run.run()));
    runs.addLast(run);
    while (runs.size() > MAX_RUNS) {
      runs.removeFirst();
    }
    write();
  }

  private void read() {
    Path file = files.path(FILE);
    if (!Files.exists(file)) {
      return;
    }
    try {
      Content content = json.readValue(Files.readAllBytes(file), Content.class);
      if (!checksum(json.writeValueAsBytes(content.runs())).equals(content.checksum())) {
        throw new IOException("The checksum is not that of the runs");
      }
      for (EndedRun run : json.treeToValue(content.runs(), EndedRun[].class)) {
        runs.addLast(run.afterRestart());
      }
    } catch (IOException | RuntimeException unreadable) {
      runs.clear();
      setAside(file, unreadable);
    }
  }

  private void setAside(Path file, Exception unreadable) {
    String name = FILE + ".unreadable-" + Instant.now().getEpochSecond();
    LOG.warn("{} cannot be read and is renamed to {}", FILE, name, unreadable);
    readProblem =
        "Earlier runs could not be read: the file is damaged. It is kept as " + name + ".";
    try {
      Files.move(file, files.path(name));
    } catch (IOException readOnly) {
      LOG.warn("{} could not be renamed", FILE, readOnly);
    }
  }

  private void write() {
    try {
      files.replace(FILE, content());
      writeProblem = null;
    } catch (IOException | StoreUnavailableException failed) {
      LOG.warn("{} cannot be written", FILE, failed);
      writeProblem = "The latest runs could not be saved; they are listed until the next restart.";
    }
  }

  private byte[] content() {
    byte[] list = json.writeValueAsBytes(runs);
    return json.writeValueAsBytes(new Content(checksum(list), json.readTree(list)));
  }

  private static String checksum(byte[] bytes) {
    return Crc32c.hex(Crc32c.of(bytes));
  }
}
