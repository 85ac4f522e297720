package dev.vramscope;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * Real and hostile files made by others, beside the checkout. They never enter the repository, so a
 * test that reads them skips where the folder is missing.
 */
public final class SharedFolder {
  private static final Path ROOT = Path.of("..", "shared").toAbsolutePath().normalize();

  private SharedFolder() {}

  /** A file or folder below {@code ../shared}; skips the calling test when it is not there. */
  public static Path require(String path) {
    Path found = ROOT.resolve(path);
    Assumptions.assumeTrue(Files.exists(found), () -> "skipped: no ../shared/" + path);
    return found;
  }

  /** The files of a folder below {@code ../shared}, sorted by name. */
  public static List<Path> files(String folder) {
    try (var files = Files.list(require(folder))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
