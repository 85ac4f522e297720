package dev.vramscope.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The folder of the database and the spool, used by one process at a time.
 *
 * <pre>
 *   data/vramscope.lock     locked while the service runs; contains its process id
 *        vramscope.mv.db    the database
 *        spool/             temporary files of uploads and downloads, deleted at start-up
 * </pre>
 *
 * The lock is acquired first: a second process must not delete the first one's spool files. The
 * operating system releases the lock when the process ends, even after a crash.
 */
final class DataFolder implements AutoCloseable {
  private static final String DATABASE = "vramscope";

  private final Path root;
  private final long minFreeBytes;
  private final FileChannel lock;
  private final Spool spool;

  private DataFolder(Path root, long minFreeBytes, FileChannel lock, Spool spool) {
    this.root = root;
    this.minFreeBytes = minFreeBytes;
    this.lock = lock;
    this.spool = spool;
  }

  /**
   * Creates the folder if it does not exist, locks it and clears the spool.
   *
   * @throws DataFolderException if another process uses it or it is not writable
   */
  static DataFolder open(StoreSettings settings) {
    Path root = settings.dataDir().toAbsolutePath().normalize();
    if (root.toString().indexOf(';') >= 0) {
      throw new DataFolderException(
          "The data folder "
              + root
              + " has a semicolon in its path, which the database URL does not allow",
          "Choose another folder with --vramscope.data-dir=FOLDER.");
    }
    try {
      Files.createDirectories(root);
      FileChannel lock = lock(root);
      Spool spool = Spool.openEmpty(root.resolve("spool"));
      return new DataFolder(root, settings.minFree().toBytes(), lock, spool);
    } catch (IOException unusable) {
      throw new DataFolderException(
          "The data folder " + root + " cannot be used: " + unusable,
          "Make it writable, or choose another folder with --vramscope.data-dir=FOLDER.",
          unusable);
    }
  }

  Spool spool() {
    return spool;
  }

  /**
   * The JDBC URL. It differs from H2's defaults: the database is closed by {@link DatabasePool} and
   * not by a shutdown hook; the page cache has 32 MiB; a transaction waits up to 30 s for a locked
   * row; closing spends at most 10 s on compacting. Temporary handles on blobs expire after 1 s and
   * not 5 minutes: while a handle exists, the space of a deleted blob is not reused.
   */
  String databaseUrl() {
    return "jdbc:h2:file:"
        + root.resolve(DATABASE)
        + ";DB_CLOSE_ON_EXIT=FALSE;CACHE_SIZE=32768;LOCK_TIMEOUT=30000;MAX_COMPACT_TIME=5000"
        + ";LOB_TIMEOUT=1000";
  }

  /** Length of the database file. */
  long databaseBytes() {
    return root.resolve(DATABASE + ".mv.db").toFile().length();
  }

  /**
   * Checks that {@code bytes} more fit on the disk without using the reserve.
   *
   * @throws StoreUnavailableException if they do not
   */
  void requireFreeSpace(long bytes) {
    long usable = usableBytes();
    if (usable - bytes < minFreeBytes) {
      throw StoreErrors.diskFull(
          bytes
              + " bytes are to be stored, "
              + usable
              + " bytes are free and "
              + minFreeBytes
              + " bytes are kept in reserve",
          root);
    }
  }

  /** Free bytes on the disk of the folder. */
  long usableBytes() {
    try {
      return Files.getFileStore(root).getUsableSpace();
    } catch (IOException failed) {
      throw StoreErrors.of(failed, root);
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }

  private static FileChannel lock(Path root) throws IOException {
    Path file = root.resolve("vramscope.lock");
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    @Nullable FileLock held;
    try {
      held = channel.tryLock();
    } catch (OverlappingFileLockException sameProcess) {
      held = null;
    }
    if (held == null) {
      String holder = Files.readString(file).strip();
      channel.close();
      throw new DataFolderException(
          "Another vramscope process uses the data folder "
              + root
              + (holder.isEmpty() ? "" : " (process id " + holder + ")"),
          "Stop that process, or choose another folder with --vramscope.data-dir=FOLDER.");
    }
    String pid = Long.toString(ProcessHandle.current().pid());
    channel.truncate(0).write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.UTF_8)));
    return channel;
  }
}
