package dev.vramscope.store;

import dev.vramscope.store.codec.BlobKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.support.SqlBinaryValue;

/** The column blobs and the original files. Callers manage the transaction. */
final class BlobRows {
  private final JdbcClient jdbc;
  private final JdbcTemplate template;

  BlobRows(JdbcTemplate template) {
    this.template = template;
    jdbc = JdbcClient.create(template);
  }

  void insert(String id, BlobKey key, byte[] blob) {
    jdbc.sql("insert into column_blobs values (?, ?, ?, ?, ?)")
        .param(1, id)
        .param(2, key.part().code())
        .param(3, key.device())
        .param(4, key.chunk())
        .param(5, new SqlBinaryValue(blob), Types.BLOB)
        .update();
  }

  byte @Nullable [] get(String id, BlobKey key) {
    return jdbc.sql(
            "select data from column_blobs"
                + " where snapshot_id = ? and part = ? and device = ? and chunk = ?")
        .param(id)
        .param(key.part().code())
        .param(key.device())
        .param(key.chunk())
        .query((row, _) -> row.getBytes(1))
        .optional()
        .orElse(null);
  }

  /** Streams the compressed original from a file, so that it is never held in memory. */
  void insertOriginal(String id, Path compressed) {
    try (InputStream stream = Files.newInputStream(compressed)) {
      jdbc.sql("insert into originals values (?, ?)")
          .param(1, id)
          .param(2, new SqlBinaryValue(stream, Files.size(compressed)), Types.BLOB)
          .update();
    } catch (IOException unreadable) {
      throw StoreErrors.of(unreadable, compressed);
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
