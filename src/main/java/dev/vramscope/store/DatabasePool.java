package dev.vramscope.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
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
