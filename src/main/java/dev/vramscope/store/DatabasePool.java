package dev.vramscope.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
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
  private static final Logger LOG = LoggerFactory.getLogger(DatabasePool.class);

  DatabasePool(String url) {
    setPoolName("database");
    setJdbcUrl(url);
    setUsername("sa");
    setPassword("");
    setMaximumPoolSize(16);
  }

  /**
   * Opens the database anew if {@code failure} closed it: after a write that failed, on a full disk
   * most often, H2 refuses everything. What was forced to disk before is found again.
   */
  synchronized void reopenAfter(Throwable failure) {
    if (!isPoisoned(failure) || isClosed()) {
      return;
    }
    try {
      Connection connection = getConnection();
      connection.createStatement().execute("shutdown immediately");
      evictConnection(connection);
    } catch (SQLException closedAlready) {
      LOG.debug("The database had closed itself", closedAlready);
    }
    getHikariPoolMXBean().softEvictConnections();
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
        Connection connection = getConnection();
        connection.createStatement().execute("shutdown");
        evictConnection(connection); // It is closed already; given back, it would complain.
      } catch (SQLException failed) {
        LOG.warn(
            "The database was not closed cleanly; it repairs itself at the next start", failed);
      }
    }
    super.close();
  }
}
