package dev.vramscope.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.api.ErrorCode;
import org.h2.mvstore.MVStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to the database. Closing it closes the database itself, and returns when that is
 * done: a pool alone would leave it to its last connection, in the background, and the folder's
 * lock would be given away while the file is still being written.
 */
final class DatabasePool extends HikariDataSource {
  // Closing rewrites the file when more than half of it, and at least this much, is free space
  // between live data; unless the live data are so large that stopping would take minutes, or do
  // not fit on the disk a second time.
  private static final long WORTH_COMPACTING_BYTES = 64L << 20;
  private static final long MAX_REWRITTEN_BYTES = 4L << 30;
  private static final String LIVE_BYTES =
      """
      select (select coalesce(sum(stored_bytes), 0) from snapshots)
           + (select coalesce(sum(octet_length(data)), 0) from originals)
      """;

  private static final Logger LOG = LoggerFactory.getLogger(DatabasePool.class);

  private final DataFolder folder;

  DatabasePool(DataFolder folder) {
    this.folder = folder;
    setPoolName("database");
    setJdbcUrl(folder.databaseUrl());
    setUsername("sa");
    setPassword("");
    setMaximumPoolSize(16);
  }

  /**
   * Opens the database anew if {@code failure} closed it: after a write that failed, on a full disk
   * most often, H2 refuses everything. What was forced to disk before is found again.
   *
   * @return whether it had been closed, so that asking again may succeed
   */
  synchronized boolean reopenAfter(Throwable failure) {
    if (!isPoisoned(failure) || isClosed()) {
      return false;
    }
    try {
      Connection connection = getConnection();
      if (answers(connection)) {
        connection.close(); // Another request that failed was here first.
      } else {
        shutDown(connection);
      }
    } catch (SQLException closedAlready) {
      LOG.debug("The database had closed itself", closedAlready);
    }
    getHikariPoolMXBean().softEvictConnections();
    return true;
  }

  private void shutDown(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("shutdown immediately");
    } finally {
      evictConnection(connection);
    }
  }

  /** Releases the file even when the orderly way fails: its lock would outlive the pool. */
  private void shutDownCleanly(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(isSparse(connection) ? "shutdown compact" : "shutdown");
      evictConnection(connection); // It is closed already; given back, it would complain.
    } catch (SQLException failed) {
      try {
        shutDown(connection);
      } catch (SQLException again) {
        failed.addSuppressed(again);
      }
      throw failed;
    }
  }

  private static boolean answers(Connection connection) {
    try (Statement statement = connection.createStatement();
        ResultSet _ = statement.executeQuery("select id from snapshots limit 1")) {
      return true;
    } catch (SQLException closed) {
      return false;
    }
  }

  /** H2 gives free space at the file's end back by itself, but not holes in front of live data. */
  private boolean isSparse(Connection connection) throws SQLException {
    try (ResultSet live = connection.createStatement().executeQuery(LIVE_BYTES)) {
      live.next();
      long liveBytes = live.getLong(1);
      long freeBytes = folder.databaseBytes() - liveBytes;
      return freeBytes > Math.max(liveBytes, WORTH_COMPACTING_BYTES)
          && liveBytes < Math.min(MAX_REWRITTEN_BYTES, folder.usableBytes());
    }
  }

  private static boolean isPoisoned(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof MVStoreException
          || (cause instanceof SQLException sql
              && sql.getErrorCode() == ErrorCode.DATABASE_IS_CLOSED)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    if (!isClosed()) {
      try {
        shutDownCleanly(getConnection());
      } catch (SQLException failed) {
        LOG.warn(
            "The database was not closed cleanly; it repairs itself at the next start", failed);
      }
    }
    super.close();
  }
}
