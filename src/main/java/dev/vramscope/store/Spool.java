package dev.vramscope.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder of temporary files for uploads and downloads. File names are generated, never taken from
 * an upload. Files left behind by a killed process are deleted at the next start.
 */
public final class Spool {
  private final Path folder;

  private Spool(Path folder) {
    this.folder = folder;
  }

  static Spool openEmpty(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path leftover : files) {
        Files.delete(leftover);
      }
    }
    return new Spool(folder);
  }

  /**
   * Creates an empty file, which is deleted when it is closed.
   *
   * @throws StoreUnavailableException if the file cannot be created
   */
  public SpoolFile create() {
    try {
      return new SpoolFile(Files.createTempFile(folder, "part-", ".zst"));
    } catch (IOException failed) {
      throw StoreErrors.of(failed, folder);
    }
  }
}
