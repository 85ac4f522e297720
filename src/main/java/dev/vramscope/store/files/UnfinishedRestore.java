package dev.vramscope.store.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that marks a data folder whose restore is not complete. Only such a folder, or an empty
 * one, can be restored to: what users change or delete after the first start of the service is not
 * in the backup.
 */
public final class UnfinishedRestore {
  private static final Logger LOG = LoggerFactory.getLogger(UnfinishedRestore.class);
  private static final String FILE = "restore-unfinished";

  private final Path dataDir;
  private final Path file;

  public UnfinishedRestore(Path dataDir) {
    this.dataDir = dataDir;
    file = dataDir.resolve(FILE);
  }

  /**
   * Checks that a restore can be started or continued.
   *
   * @throws IOException if the folder has been used, or contains anything else
   */
  public void requireUnused() throws IOException {
    if (isUsed()) {
      throw new IOException(
          "A service has used the folder "
              + dataDir
              + ": its snapshots may have been changed or deleted since. Restore into an empty or"
              + " new folder. Uploading a file again repairs or adds a single snapshot.");
    }
    if (!Files.exists(file) && !isEmpty()) {
      throw new IOException(
          "The folder " + dataDir + " is not empty. Restore into an empty or new folder.");
    }
  }

  public void begin() throws IOException {
    SyncedFiles.write(file, new byte[0]);
  }

  public void complete() throws IOException {
    Files.delete(file);
  }

  /** Ends an incomplete restore when the folder is used for the first time. */
  void abandon() throws IOException {
    if (Files.deleteIfExists(file)) {
      LOG.warn(
          "The restore into {} was not complete and cannot be continued any more. Upload the files"
              + " of missing snapshots again, or restore into another folder.",
          dataDir);
    }
  }

  private boolean isUsed() throws IOException {
    return DataFolder.hasSpool(dataDir) || DataFolder.hasDatabase(dataDir) || hasDeletions();
  }

  private boolean hasDeletions() throws IOException {
    return DataFolder.hasOriginals(dataDir)
        && !OriginalFiles.open(dataDir.resolve(DataFolder.ORIGINALS)).list().deletions().isEmpty();
  }

  private boolean isEmpty() throws IOException {
    try (Stream<Path> files = Files.list(dataDir)) {
      return files.allMatch(each -> each.endsWith(DataFolder.LOCK));
    }
  }
}
