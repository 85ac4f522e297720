package dev.vramscope.store.files;

import java.io.IOException;
import java.nio.file.Path;

/** Small files of other packages in the locked data folder. */
public final class DataFiles {
  private final Path root;
  private final DiskSpace space;

  public DataFiles(Path root, DiskSpace space) {
    this.root = root;
    this.space = space;
  }

  public Path path(String name) {
    return root.resolve(name);
  }

  /**
   * Replaces a file atomically. The new content is on the disk when this returns.
   *
   * @throws StoreUnavailableException if there is no room; nothing was written
   * @throws IOException if it cannot be written
   */
  public void replace(String name, byte[] content) throws IOException {
    space.require(content.length);
    SyncedFiles.replace(path(name), content);
    SyncedFiles.forceFolder(root);
  }
}
