package dev.vramscope.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of originals that are still in the database of an older release, in a file of the data
 * folder: a backup cannot open the database while the service uses it. Without such originals there
 * is no file.
 */
final class UnmovedOriginals {
  private static final Logger LOG = LoggerFactory.getLogger(UnmovedOriginals.class);
  private static final String FILE = "originals-in-database";

  private final Path file;

  UnmovedOriginals(Path dataDir) {
    file = dataDir.resolve(FILE);
  }

  void record(int count) {
    try {
      if (count == 0) {
        Files.deleteIfExists(file);
      } else {
        Files.writeString(file, Integer.toString(count));
      }
    } catch (IOException full) {
      LOG.warn("The number of originals in the database cannot be written", full);
    }
  }

  /** The recorded number; at least 1 if the file is damaged. */
  int count() throws IOException {
    try {
      return Math.max(1, Integer.parseInt(Files.readString(file).strip()));
    } catch (NoSuchFileException none) {
      return 0;
    } catch (NumberFormatException cut) {
      return 1;
    }
  }
}
