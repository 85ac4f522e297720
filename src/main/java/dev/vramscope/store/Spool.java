package dev.vramscope.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder of files on their way in or out. Names are made here, never taken from an upload; what a
 * killed process left behind is swept at the next start.
 */
public final class Spool {
  private final Path folder;

  private Spool(Path folder) {
    this.folder = folder;
  }

  static Spool sweep(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path left : files) {
        Files.delete(left);
      }
    }
    return new Spool(folder);
  }

  /**
   * A new empty file, deleted when it is closed.
   *
   * @throws StoreUnavailableException when the disk does not let us
   */
  public SpoolFile create() {
    try {
      return new SpoolFile(Files.createTempFile(folder, "part-", ".zst"));
    } catch (IOException full) {
      throw StoreFaults.of(full, folder);
    }
  }
}
