package dev.vramscope.store.files;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of all stored data, used by one process at a time.
 *
 * <pre>
 *   data/vramscope.lock     locked while the service runs; contains its process id
 *        originals/         the uploaded files: all that a backup needs, see {@link OriginalFiles}
 *        vramscope.mv.db    the database, which is rebuilt from the originals if it is damaged
 *        originals-in-database  how many originals an older release has left in the database
 *        vramscope-replaced-DATE.mv.db            a database that was set aside
 *        vramscope-replaced-DATE.mv.db.originals  how many originals are only in it
 *        runs.json          the latest workload runs, see {@code live.workload.RunHistory}
 *        restore-unfinished  marks a restore that is not complete, until the folder is used
 *        spool/             temporary files of uploads, deleted at start-up
 * </pre>
 *
 * The lock is acquired first: a second process must not delete the first one's spool files. The
 * operating system releases the lock when the process ends, even after a crash.
 */
public final class DataFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
  static final String LOCK = "vramscope.lock";
  public static final String ORIGINALS = "originals";
  private static final String SPOOL = "spool";
  private static final String DATABASE = "vramscope";

  /** The ending that H2 adds to the name of the database. */
  private static final String DATABASE_ENDING = ".mv.db";

  private final Path root;
  private final FileChannel lock;
  private final DiskSpace space;
  private final Spool spool;
  private final OriginalFiles originals;

  private DataFolder(
      Path root, FileChannel lock, DiskSpace space, Spool spool, OriginalFiles originals) {
    this.root = root;
    this.lock = lock;
    this.space = space;
    this.spool = spool;
    this.originals = originals;
  }

  /**
   * Creates the folder if it does not exist, locks it and clears the spool.
   *
   * @throws DataFolderException if another process uses it or it is not writable
   */
  public static DataFolder open(StoreSettings settings) {
    Path root = settings.dataDir().toAbsolutePath().normalize();
    if (root.toString().indexOf(';') >= 0) {
      throw new DataFolderException(
          "The data folder "
              + root
              + " has a semicolon in its path, which the database URL does not allow",
          "Choose another data folder.");
    }
    try {
      Files.createDirectories(root);
      FileChannel lock = lock(root);
      DiskSpace space = new DiskSpace(root, settings.minFree().toBytes());
      Spool spool = Spool.openEmpty(root.resolve(SPOOL), space);
      if (hasDatabase(root) && !hasOriginals(root)) {
        new UnmovedOriginals(root).record(1); // At least; the database may not be readable.
      }
      OriginalFiles originals = OriginalFiles.open(root.resolve(ORIGINALS));
      new UnfinishedRestore(root).abandon();
      return new DataFolder(root, lock, space, spool, originals);
    } catch (IOException unusable) {
      throw new DataFolderException(
          "The data folder " + root + " cannot be used: " + unusable,
          "Make it writable, or choose another data folder.",
          unusable);
    }
  }

  public Spool spool() {
    return spool;
  }

  public DiskSpace space() {
    return space;
  }

  public DataFiles files() {
    return new DataFiles(root, space);
  }

  public OriginalFiles originals() {
    return originals;
  }

  /** The database file, without the ending that H2 adds. */
  public Path database() {
    return root.resolve(DATABASE);
  }

  /** The number of originals that are still in the database. */
  public UnmovedOriginals unmoved() {
    return new UnmovedOriginals(root);
  }

  /** Whether a folder has a database, in use or not. */
  public static boolean hasDatabase(Path root) {
    return Files.exists(root.resolve(DATABASE + DATABASE_ENDING));
  }

  /** Whether a service or a rebuild has opened a folder. */
  static boolean hasSpool(Path root) {
    return Files.exists(root.resolve(SPOOL));
  }

  /** Whether a folder has the subfolder of original files. */
  public static boolean hasOriginals(Path root) {
    return Files.isDirectory(root.resolve(ORIGINALS));
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }

  /**
   * Locks a folder until the channel is closed.
   *
   * @throws DataFolderException if another process uses it
   */
  public static FileChannel lock(Path root) throws IOException {
    Path file = root.resolve(LOCK);
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
          "Stop that process, or choose another data folder.");
    }
    String pid = Long.toString(ProcessHandle.current().pid());
    try {
      channel.truncate(0).write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException full) {
      LOG.debug("The process id was not written to the lock file", full);
    }
    return channel;
  }
}
