package dev.vramscope.store.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder of temporary files for uploads and downloads. File names are generated, never taken from
 * an upload. Files left behind by a killed process are deleted at the next start.
 */
public final class Spool {
  static final String WHERE = "temporary files";

  private final Path folder;
  private final DiskSpace space;

  private Spool(Path folder, DiskSpace space) {
    this.folder = folder;
    this.space = space;
  }

  static Spool openEmpty(Path folder, DiskSpace space) throws IOException {
    Files.createDirectories(folder);
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path leftover : files) {
        Files.delete(leftover);
      }
    }
    return new Spool(folder, space);
  }

  /**
   * Creates an empty file, which is deleted when it is closed.
   *
   * @throws StoreUnavailableException if the file cannot be created
   */
  public SpoolFile create() {
    space.require(0);
    try {
      return new SpoolFile(Files.createTempFile(folder, "part-", ".zst"), space);
    } catch (IOException failed) {
      throw space.stop(StoreErrors.notWritten(failed, WHERE));
    }
  }
}
