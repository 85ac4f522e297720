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
 * The folder that holds everything, for one process at a time.
 *
 * <pre>
 *   data/vramscope.lock     held while the service runs; names its process
 *        vramscope.mv.db    the database
 *        spool/             files on their way in or out, swept at start-up
 * </pre>
 *
 * The lock is taken before anything else is touched: a second process must not sweep the first
 * one's spool. The operating system drops it when the process ends, however it ends.
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
   * Creates the folder where it is missing, locks it and sweeps the spool.
   *
   * @throws DataFolderException when another process uses it or it cannot be written
   */
  static DataFolder open(StoreSettings settings) {
    Path root = settings.dataDir().toAbsolutePath().normalize();
    if (root.toString().indexOf(';') >= 0) {
      throw new DataFolderException(
          "The folder "
              + root
              + " has a semicolon in its name, which a database address cannot have",
          "Choose another one with --vramscope.data-dir=FOLDER.");
    }
    try {
      Files.createDirectories(root);
      FileChannel lock = lock(root);
      Spool spool = Spool.sweep(root.resolve("spool"));
      return new DataFolder(root, settings.minFree().toBytes(), lock, spool);
    } catch (IOException unusable) {
      throw new DataFolderException(
          "The folder " + root + " cannot be used: " + unusable,
          "Make it writable, or choose another one with --vramscope.data-dir=FOLDER.",
          unusable);
    }
  }

  Spool spool() {
    return spool;
  }

  /**
   * The database's address, with what differs from H2's defaults: closed by us and not by a hook;
   * 32 MiB of page cache; a row that another transaction writes is waited for 30 s; on close at
   * most 10 s go into giving free space back. Handles on blobs that were read or written live 1 s
   * and not 5 minutes: as long as there is one, the blob's space cannot be used again.
   */
  String databaseUrl() {
    return "jdbc:h2:file:"
        + root.resolve(DATABASE)
        + ";DB_CLOSE_ON_EXIT=FALSE;CACHE_SIZE=32768;LOCK_TIMEOUT=30000;MAX_COMPACT_TIME=5000"
        + ";LOB_TIMEOUT=1000";
  }

  /** Length of the database's file. */
  long databaseBytes() {
    return root.resolve(DATABASE + ".mv.db").toFile().length();
  }

  /**
   * Checks that {@code bytes} more fit on the disk and leave a reserve.
   *
   * @throws StoreUnavailableException when they do not
   */
  void requireRoom(long bytes) {
    long usable = usableBytes();
    if (usable - bytes < minFreeBytes) {
      throw StoreFaults.diskFull(
          bytes
              + " bytes are to be stored, "
              + usable
              + " are free and "
              + minFreeBytes
              + " are kept in reserve",
          root);
    }
  }

  /** Free bytes on the folder's disk. */
  long usableBytes() {
    try {
      return Files.getFileStore(root).getUsableSpace();
    } catch (IOException gone) {
      throw StoreFaults.of(gone, root);
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
          "Another vramscope uses this folder: "
              + root
              + (holder.isEmpty() ? "" : " (process " + holder + ")"),
          "Stop it, or choose another folder with --vramscope.data-dir=FOLDER.");
    }
    String pid = Long.toString(ProcessHandle.current().pid());
    channel.truncate(0).write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.UTF_8)));
    return channel;
  }
}
