package dev.vramscope.store;

import dev.vramscope.store.files.DataFolder;
import dev.vramscope.store.files.DataFolderException;
import dev.vramscope.store.files.DiskSpace;
import dev.vramscope.store.files.FailStopFiles;
import dev.vramscope.store.files.StoreErrors;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.files.SyncedFiles;
import dev.vramscope.store.files.UnmovedOriginals;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.h2.api.ErrorCode;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * The database, which can be replaced while it is in use. All that it holds can be rebuilt from the
 * original files, so one that cannot be opened or read is set aside under a dated name, and an
 * empty one takes its place. On a full disk the database is opened for reading only. Thread-safe.
 */
final class Database extends AbstractDataSource implements AutoCloseable {
  /** What can be done with the database. */
  enum Mode {
    WRITABLE,
    /** The disk has no room. */
    READ_ONLY,
    /** It cannot be opened, and there is no room for another one. */
    CLOSED
  }

  private static final Logger LOG = LoggerFactory.getLogger(Database.class);
  private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
  private static final String ENDING = ".mv.db";
  private static final String SET_ASIDE = "-replaced-";
  private static final String USER = "sa";
  private static final int MAX_CONNECTIONS = 16;
  private static final int MAX_CAUSES = 20;

  // Closing compacts the file if more than half of it, and at least MIN_COMPACTED_BYTES, is free
  // space; but not if the live data are so large that shutting down would take minutes, or do not
  // fit on the disk a second time.
  private static final long MIN_COMPACTED_BYTES = 64L << 20;
  private static final long MAX_LIVE_BYTES = 4L << 30;
  private static final String LIVE_BYTES =
      """
      select (select coalesce(sum(stored_bytes), 0) from snapshots)
           + (select coalesce(sum(octet_length(data)), 0) from originals)
      """;

  private final Path path;
  private final DiskSpace space;
  private final UnmovedOriginals unmoved;

  // Written under the lock of this object.
  private volatile @Nullable JdbcConnectionPool pool;

  /** Not from the pool, which may have none for the moment. Guarded by this. */
  private @Nullable Connection control;

  private volatile Mode mode = Mode.CLOSED;
  private volatile @Nullable String setAside;
  private volatile boolean damaged;
  private final AtomicInteger generation = new AtomicInteger();
  private boolean ended;

  Database(DataFolder folder) {
    path = folder.database();
    space = folder.space();
    unmoved = folder.unmoved();
    FailStopFiles.register();
    open();
  }

  Mode mode() {
    return mode;
  }

  /** Increases when the database was opened again, so that rows may be missing. */
  int generation() {
    return generation.get();
  }

  /** The name of the database that was last set aside by this process. */
  Optional<String> setAside() {
    return Optional.ofNullable(setAside);
  }

  /** The databases that were set aside, by any process, and not deleted since; oldest first. */
  List<String> setAsideFiles() {
    String pattern = path.getFileName() + SET_ASIDE + "*" + ENDING;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path.getParent(), pattern)) {
      List<String> names = new ArrayList<>();
      files.forEach(file -> names.add(file.getFileName().toString()));
      names.sort(null);
      return names;
    } catch (IOException | DirectoryIteratorException unreadable) {
      LOG.warn("The data folder cannot be listed", unreadable);
      return List.of();
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    JdbcConnectionPool open = pool;
    if (open == null) {
      throw new SQLException("The database is closed", "90098", ErrorCode.DATABASE_IS_CLOSED);
    }
    return open.getConnection();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  /**
   * Opens the database for writing if it is not and there is room.
   *
   * @throws StoreUnavailableException if there is no room
   */
  void requireWritable() {
    space.require(0);
    if (mode != Mode.WRITABLE) {
      synchronized (this) {
        if (mode != Mode.WRITABLE && !ended) {
          generation.incrementAndGet();
          closeImmediately();
          open();
        }
      }
      if (mode != Mode.WRITABLE) {
        space.require(0);
        throw StoreErrors.diskFull("the database cannot be written");
      }
    }
  }

  /**
   * Opens the database again after a failure. After a failed write, usually on a full disk, H2
   * rejects every statement.
   *
   * @param connectionFailed the failure
   * @return whether it was opened again, so that a read may be tried again
   */
  @SuppressWarnings("ReferenceEquality") // Another pool means that another thread was first.
  boolean reopenAfter(RuntimeException connectionFailed) {
    JdbcConnectionPool failedPool = pool;
    if (DatabaseFailure.of(connectionFailed) == DatabaseFailure.STATEMENT) {
      return false;
    }
    synchronized (this) {
      if (ended) {
        return false;
      }
      if (pool == failedPool && !isUsable()) {
        LOG.warn("The database is opened again after a failure", connectionFailed);
        generation.incrementAndGet();
        if (StoreErrors.isDiskFull(connectionFailed)) {
          space.stop(StoreErrors.notWritten(connectionFailed));
        }
        closeImmediately();
        open();
      }
      return mode != Mode.CLOSED;
    }
  }

  /** Records that the database is open but cannot be read. */
  synchronized void damaged(RuntimeException unreadable, int failedGeneration) {
    if (generation.get() == failedGeneration && !damaged) {
      LOG.error("The database is damaged", unreadable);
      damaged = true;
    }
  }

  /** Whether the database is open but cannot be read, so that it is to be replaced. */
  boolean isDamaged() {
    return damaged;
  }

  /** Sets the database aside and opens an empty one. */
  synchronized void replace() {
    if (ended) {
      return;
    }
    closeImmediately();
    setAsideFile();
    open();
  }

  private void open() {
    Exception failure = null;
    if (space.hasRoom() || !exists()) {
      try {
        connect("");
        migrate();
        mode = Mode.WRITABLE;
        return;
      } catch (RuntimeException | SQLException failed) {
        failure = failed;
        closeImmediately();
        requireUsable(failed);
      }
    }
    if (!exists()) {
      if (failure != null) {
        LOG.error("The database cannot be created", failure);
      }
      return;
    }
    if (failure == null || !space.hasRoom() || StoreErrors.isDiskFull(failure)) {
      try {
        connect(";ACCESS_MODE_DATA=r");
        requireSchema();
        mode = Mode.READ_ONLY;
        LOG.warn("The disk is full: the database is opened for reading only");
        return;
      } catch (RuntimeException | SQLException failed) {
        LOG.error("The database cannot be opened for reading", failed);
        closeImmediately();
        requireUsable(failed);
        if (failure == null || !space.hasRoom()) {
          return; // It may need room to be opened. It is tried again when there is room.
        }
      }
    }
    LOG.error("The database cannot be opened", failure);
    setAsideFile();
    try {
      connect("");
      migrate();
      mode = Mode.WRITABLE;
    } catch (RuntimeException | SQLException failed) {
      LOG.error("An empty database cannot be created", failed);
      closeImmediately();
      requireHeap(failed);
    }
  }

  /**
   * Connects. The URL differs from H2's defaults: the database is closed by this class and not by a
   * shutdown hook; the page cache has 32 MiB; a transaction waits up to 30 s for a locked row;
   * closing spends at most 5 s on compacting. Temporary handles on blobs expire after 1 s and not 5
   * minutes: while a handle exists, the space of a deleted blob is not reused.
   */
  private void connect(String options) throws SQLException {
    String url =
        "jdbc:h2:"
            + FailStopFiles.SCHEME
            + ":"
            + path
            + ";DB_CLOSE_ON_EXIT=FALSE;CACHE_SIZE=32768;LOCK_TIMEOUT=30000;MAX_COMPACT_TIME=5000"
            + ";LOB_TIMEOUT=1000"
            + options;
    control = DriverManager.getConnection(url, USER, "");
    // H2's pool fails immediately if a damaged database cannot be opened; others try for 30 s.
    JdbcConnectionPool connecting = JdbcConnectionPool.create(url, USER, "");
    connecting.setMaxConnections(MAX_CONNECTIONS);
    pool = connecting;
  }

  /** A killed process leaves its tables: without room on the disk they cannot be made again. */
  private void migrate() {
    int made = Flyway.configure().dataSource(this).load().migrate().migrationsExecuted;
    if (made > 0) {
      force();
    }
  }

  /** H2 reports a commit before it writes it. */
  void force() {
    new JdbcTemplate(this).execute("checkpoint sync");
  }

  /** A database for reading only cannot be migrated. */
  private void requireSchema() throws SQLException {
    if (Flyway.configure().dataSource(this).load().info().pending().length > 0) {
      throw new SQLException("The database is of an older release");
    }
  }

  private boolean isUsable() {
    Connection open = control;
    if (open == null) {
      return false;
    }
    try (Statement statement = open.createStatement();
        ResultSet _ = statement.executeQuery("select id from snapshots limit 1")) {
      return true;
    } catch (SQLException closed) {
      return false;
    }
  }

  private boolean exists() {
    return Files.exists(file());
  }

  private Path file() {
    return path.resolveSibling(path.getFileName() + ENDING);
  }

  private void setAsideFile() {
    String start = path.getFileName() + SET_ASIDE + LocalDateTime.now(ZoneOffset.UTC).format(DATE);
    String name = start + ENDING;
    for (int number = 2; Files.exists(path.resolveSibling(name)); number++) {
      name = start + "-" + number + ENDING;
    }
    try {
      unmoved.keepFor(name);
      SyncedFiles.rename(file(), path.resolveSibling(name));
      unmoved.record(0);
      generation.incrementAndGet();
      setAside = name;
      damaged = false;
      LOG.error("The database was renamed to {}. A new one is made from the original files.", name);
    } catch (IOException failed) {
      throw new DataFolderException(
          "The damaged database cannot be renamed: " + failed,
          "Move " + file() + " to another folder.",
          failed);
    }
  }

  /** A database that another program uses, or that needs more heap, is not damaged. */
  private static void requireUsable(Exception failed) {
    requireUnlocked(failed);
    requireHeap(failed);
  }

  private static void requireHeap(Exception failed) {
    Throwable cause = failed;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof OutOfMemoryError full) {
        throw full;
      }
      cause = cause.getCause();
    }
  }

  private static void requireUnlocked(Exception failed) {
    if (DatabaseFailure.isLocked(failed)) {
      throw new DataFolderException(
          "Another program has opened the database",
          "Close that program, or choose another data folder.",
          failed);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void closeImmediately() {
    mode = Mode.CLOSED;
    Connection closing = control;
    JdbcConnectionPool open = pool;
    control = null;
    pool = null;
    if (closing != null) {
      try (closing) {
        if (!closing.isClosed()) { // H2 writes a file with a stack trace otherwise.
          execute(closing, "shutdown immediately");
        }
      } catch (SQLException closedAlready) {
        LOG.debug("The database was closed already", closedAlready);
      }
    }
    if (open != null) {
      open.dispose();
    }
  }

  /**
   * Shuts the database down in the foreground: otherwise the last connection would do so in the
   * background, and the folder's lock would be released while the file is still being written.
   */
  @Override
  public synchronized void close() {
    ended = true;
    Connection open = control;
    if (open != null && mode == Mode.WRITABLE && space.hasRoom()) {
      try {
        execute(open, isSparse(open) ? "shutdown compact" : "shutdown");
      } catch (SQLException failed) {
        LOG.warn("The database was not closed cleanly; it is recovered at the next start", failed);
      }
    }
    closeImmediately();
  }

  /** H2 truncates free space at the end of the file, but not gaps before live data. */
  private boolean isSparse(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet live = statement.executeQuery(LIVE_BYTES)) {
      live.next();
      long liveBytes = live.getLong(1);
      long freeBytes = file().toFile().length() - liveBytes;
      return freeBytes > Math.max(liveBytes, MIN_COMPACTED_BYTES)
          && liveBytes < Math.min(MAX_LIVE_BYTES, space.usableBytes());
    }
  }
}
