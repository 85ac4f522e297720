package dev.vramscope.store;

import dev.vramscope.store.codec.BlobKey;
import dev.vramscope.store.codec.Crc32c;
import dev.vramscope.store.codec.UnreadableBlobException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.support.SqlBinaryValue;

/** The column blobs, and originals of an older release. Callers manage the transaction. */
final class BlobRows {
  private final JdbcClient jdbc;
  private final JdbcTemplate template;

  BlobRows(JdbcTemplate template) {
    this.template = template;
    jdbc = JdbcClient.create(template);
  }

  void insert(String id, BlobKey key, byte[] blob) {
    jdbc.sql("insert into column_blobs values (?, ?, ?, ?, ?, ?)")
        .param(1, id)
        .param(2, key.part().code())
        .param(3, key.device())
        .param(4, key.chunk())
        .param(5, new SqlBinaryValue(blob), Types.BLOB)
        .param(6, checksum(id, key, blob))
        .update();
  }

  /**
   * The blob, or null if there is none.
   *
   * @throws UnreadableBlobException if it is not the one that was stored under this key
   */
  byte @Nullable [] get(String id, BlobKey key) {
    return jdbc.sql(
            "select data, checksum from column_blobs"
                + " where snapshot_id = ? and part = ? and device = ? and chunk = ?")
        .param(id)
        .param(key.part().code())
        .param(key.device())
        .param(key.chunk())
        .query(
            (row, _) -> {
              byte[] blob = row.getBytes(1);
              long checksum = row.getLong(2);
              if (!row.wasNull() && checksum != checksum(id, key, blob)) {
                throw new UnreadableBlobException(key, "its checksum does not match");
              }
              return blob;
            })
        .optional()
        .orElse(null);
  }

  /** The key is included: a damaged index may return another blob. */
  private static long checksum(String id, BlobKey key, byte[] blob) {
    return Crc32c.of((id + " " + key).getBytes(StandardCharsets.UTF_8), blob);
  }

  /** The ids of snapshots whose original an older release has stored in the database. */
  List<String> originalsInDatabase() {
    return jdbc.sql("select snapshot_id from originals").query(String.class).list();
  }

  void deleteOriginal(String id) {
    jdbc.sql("delete from originals where snapshot_id = ?").param(id).update();
  }

  /** Opens the compressed original, which keeps a connection until it is closed. */
  static Optional<InputStream> openOriginal(DataSource database, String id) {
    try {
      Connection connection = database.getConnection();
      boolean opened = false;
      try {
        PreparedStatement query =
            connection.prepareStatement("select data from originals where snapshot_id = ?");
        query.setString(1, id);
        ResultSet row = query.executeQuery();
        if (!row.next()) {
          return Optional.empty();
        }
        InputStream data = row.getBinaryStream(1);
        opened = true;
        return Optional.of(new ConnectedStream(data, connection));
      } finally {
        if (!opened) {
          connection.close();
        }
      }
    } catch (SQLException failed) {
      throw new DataAccessResourceFailureException("An original cannot be read", failed);
    }
  }

  /** A blob whose connection is closed with it. */
  private static final class ConnectedStream extends FilterInputStream {
    private final Connection connection;

    ConnectedStream(InputStream blob, Connection connection) {
      super(blob);
      this.connection = connection;
    }

    @Override
    public void close() throws IOException {
      try (Connection _ = connection) {
        super.close();
      } catch (SQLException failed) {
        throw new IOException(failed);
      }
    }
  }

  /** Copies the compressed original; returns false if there is none. */
  boolean copyOriginal(String id, OutputStream target) {
    return Boolean.TRUE.equals(
        template.query(
            "select data from originals where snapshot_id = ?",
            (ResultSet rows) -> rows.next() && copy(rows, target),
            id));
  }

  private static boolean copy(ResultSet row, OutputStream target) throws SQLException {
    try (InputStream data = row.getBinaryStream(1)) {
      data.transferTo(target);
      return true;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
