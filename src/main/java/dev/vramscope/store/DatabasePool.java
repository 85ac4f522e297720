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
 * The connection pool of the database. Closing it also shuts the database down, in the foreground:
 * otherwise the last connection would do so in the background, and the folder's lock would be
 * released while the database file is still being written.
 */
final class DatabasePool extends HikariDataSource {
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
   * Reopens the database if {@code failure} closed it: after a failed write, usually on a full
   * disk, H2 rejects every statement. Data that were forced to disk are still there.
   *
   * @return whether the database had been closed, so that a retry may succeed
   */
  synchronized boolean reopenIfClosedBy(Throwable failure) {
    if (!isClosedBy(failure) || isClosed()) {
      return false;
    }
    try {
      Connection connection = getConnection();
      if (isOpen(connection)) {
        connection.close(); // Another failed request has reopened it already.
      } else {
        shutDown(connection);
      }
    } catch (SQLException closedAlready) {
      LOG.debug("The database was closed already", closedAlready);
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

  /** Releases the file even if the normal shutdown fails: its lock would outlive the pool. */
  private void shutDownCleanly(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(isSparse(connection) ? "shutdown compact" : "shutdown");
      evictConnection(connection); // The shutdown closed it; returning it to the pool would fail.
    } catch (SQLException failed) {
      try {
        shutDown(connection);
      } catch (SQLException again) {
        failed.addSuppressed(again);
      }
      throw failed;
    }
  }

  private static boolean isOpen(Connection connection) {
    try (Statement statement = connection.createStatement();
        ResultSet _ = statement.executeQuery("select id from snapshots limit 1")) {
      return true;
    } catch (SQLException closed) {
      return false;
    }
  }

  /** H2 truncates free space at the end of the file, but not gaps before live data. */
  private boolean isSparse(Connection connection) throws SQLException {
    try (ResultSet live = connection.createStatement().executeQuery(LIVE_BYTES)) {
      live.next();
      long liveBytes = live.getLong(1);
      long freeBytes = folder.databaseBytes() - liveBytes;
      return freeBytes > Math.max(liveBytes, MIN_COMPACTED_BYTES)
          && liveBytes < Math.min(MAX_LIVE_BYTES, folder.usableBytes());
    }
  }

  private static boolean isClosedBy(Throwable failure) {
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
        LOG.warn("The database was not closed cleanly; it is recovered at the next start", failed);
      }
    }
    super.close();
  }
}
