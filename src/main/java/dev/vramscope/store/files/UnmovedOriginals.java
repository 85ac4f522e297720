package dev.vramscope.store.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of originals that are still in the database of an older release, in a file of the data
 * folder: a backup cannot open the database while the service uses it. Without such originals there
 * is no file. A database that is set aside gets a file of its own with the number, which counts
 * until a user deletes that database.
 */
public final class UnmovedOriginals {
  private static final Logger LOG = LoggerFactory.getLogger(UnmovedOriginals.class);
  private static final String FILE = "originals-in-database";
  private static final String SET_ASIDE = ".originals";

  private final Path dataDir;
  private final Path file;

  public UnmovedOriginals(Path dataDir) {
    this.dataDir = dataDir;
    file = dataDir.resolve(FILE);
  }

  public void record(int count) {
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
  public int count() throws IOException {
    return count(file);
  }

  /** Keeps the number for a database before it is renamed. */
  public void keepFor(String setAside) throws IOException {
    int count = count();
    if (count > 0) {
      byte[] content = Integer.toString(count).getBytes(StandardCharsets.US_ASCII);
      SyncedFiles.write(dataDir.resolve(setAside + SET_ASIDE), content);
    }
  }

  /** Originals in databases that were set aside, by any process, and not deleted since. */
  public List<SetAsideOriginals> inSetAside() throws IOException {
    List<SetAsideOriginals> originals = new ArrayList<>();
    try (DirectoryStream<Path> numbers = Files.newDirectoryStream(dataDir, "*" + SET_ASIDE)) {
      for (Path number : numbers) {
        String name = String.valueOf(number.getFileName());
        String database = name.substring(0, name.length() - SET_ASIDE.length());
        if (Files.exists(dataDir.resolve(database))) {
          originals.add(new SetAsideOriginals(database, count(number)));
        }
      }
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    }
    originals.sort(Comparator.comparing(SetAsideOriginals::file));
    return List.copyOf(originals);
  }

  private static int count(Path file) throws IOException {
    try {
      return Math.max(1, Integer.parseInt(Files.readString(file).strip()));
    } catch (NoSuchFileException none) {
      return 0;
    } catch (NumberFormatException cut) {
      return 1;
    }
  }
}
