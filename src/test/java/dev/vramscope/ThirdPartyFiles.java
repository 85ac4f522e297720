package dev.vramscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Snapshots and error texts that other people's programs wrote, in {@code ../shared} next to the
 * checkout. They are not part of the repository, so tests that read them are {@link
 * NeedsThirdPartyFiles}; the project's own test data is in {@link TestData}.
 */
public final class ThirdPartyFiles {
  private static final Path ROOT = Path.of("..", "shared").toAbsolutePath().normalize();
  private static final AtomicBoolean REPORTED = new AtomicBoolean();

  private ThirdPartyFiles() {}

  /** Whether the files are there; if not, the first call reports it. */
  public static boolean exist() {
    boolean exist = Files.isDirectory(ROOT.resolve("snapshots"));
    if (!exist && REPORTED.compareAndSet(false, true)) {
      System.out.println(
          "Tests of other people's files are skipped: there is no folder ../shared/snapshots.");
    }
    return exist;
  }

  /** A file or folder. */
  public static Path require(String path) {
    return assertThat(ROOT.resolve(path)).exists().actual();
  }

  /** The files of a folder, sorted by name. */
  public static List<Path> files(String folder) {
    try (var files = Files.list(require(folder))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
