package dev.vramscope;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * Snapshots and error texts that other people's programs wrote, in {@code ../shared} next to the
 * checkout. They are not part of the repository, so a test that reads them is skipped without them;
 * the project's own test data is in {@link TestData}.
 */
public final class ThirdPartyFiles {
  private static final Path ROOT = Path.of("..", "shared").toAbsolutePath().normalize();

  private ThirdPartyFiles() {}

  /** A file or folder; the calling test is skipped if it does not exist. */
  public static Path require(String path) {
    Path found = ROOT.resolve(path);
    Assumptions.assumeTrue(
        Files.exists(found),
        () -> "skipped: needs other people's files, which are not published: ../shared/" + path);
    return found;
  }

  /** The files of a folder, sorted by name; the calling test is skipped if it does not exist. */
  public static List<Path> files(String folder) {
    try (var files = Files.list(require(folder))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
