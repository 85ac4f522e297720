package dev.vramscope.store;

import dev.vramscope.store.codec.Crc32c;
import dev.vramscope.store.listing.FailureAnswer;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of snapshots with its labels. The database has no checksums of its own: a
 * flipped bit on the disk would be a wrong number on a page.
 *
 * @param snapshot the metadata
 * @param columns the names and values of all columns except the checksum
 * @param checksum the stored checksum, or null in a row of an older release
 */
record SnapshotRow(StoredSnapshot snapshot, String columns, @Nullable Long checksum) {
  /** The version of the rules for peaks and findings. A row of another one is computed again. */
  static final int RESULTS_VERSION = 2;

  /** The version of the rules for answers. One of another version is computed again. */
  static final int ANSWER_VERSION = 1;

  private static final String CHECKSUM = "CHECKSUM";

  /** Maps a row; its labels are added by {@link #withLabels}. */
  static SnapshotRow of(ResultSet row, int number) throws SQLException {
    Integer version = row.getObject("results_version", Integer.class);
    boolean hasResults = version != null && version == RESULTS_VERSION;
    StoredSnapshot snapshot =
        new StoredSnapshot(
            row.getString("id"),
            row.getString("name"),
            new Tags(
                row.getString("job"),
                row.getString("rank"),
                row.getString("host"),
                row.getObject("step", Long.class),
                List.of()),
            row.getObject("uploaded", OffsetDateTime.class).toInstant(),
            row.getString("sha256"),
            row.getLong("original_bytes"),
            row.getLong("stored_bytes"),
            row.getString("format"),
            row.getString("producer"),
            new StoredSnapshot.Totals(
                row.getInt("device_count"),
                row.getLong("event_count"),
                row.getLong("segment_count"),
                row.getLong("block_count"),
                row.getLong("reserved_bytes"),
                row.getLong("allocated_bytes"),
                hasResults || row.getInt("device_count") == 1
                    ? row.getObject("peak_bytes", Long.class)
                    : null,
                row.getInt("oom_count"),
                hasResults ? row.getObject("finding_count", Integer.class) : null),
            answer(row));
    return new SnapshotRow(snapshot, columns(row), row.getObject(CHECKSUM, Long.class));
  }

  private static @Nullable FailureAnswer answer(ResultSet row) throws SQLException {
    String cause = row.getString("cause");
    String advice = row.getString("advice");
    return cause != null && advice != null && row.getInt("answer_version") == ANSWER_VERSION
        ? new FailureAnswer(cause, advice)
        : null;
  }

  private static String columns(ResultSet row) throws SQLException {
    ResultSetMetaData columns = row.getMetaData();
    StringBuilder text = new StringBuilder();
    for (int column = 1; column <= columns.getColumnCount(); column++) {
      String name = columns.getColumnName(column);
      String value = row.getString(column);
      // Without nulls, so that a column that a later release adds does not change the checksum.
      if (value != null && !name.equals(CHECKSUM)) {
        text.append(name).append('=').append(value).append('\n');
      }
    }
    return text.toString();
  }

  SnapshotRow withLabels(List<String> labels) {
    Tags tags = snapshot.tags();
    return new SnapshotRow(
        snapshot.withTags(new Tags(tags.job(), tags.rank(), tags.host(), tags.step(), labels)),
        columns,
        checksum);
  }

  boolean isIntact() {
    return checksum == null || checksum == expectedChecksum();
  }

  long expectedChecksum() {
    return Crc32c.of((columns + snapshot.tags().labels()).getBytes(StandardCharsets.UTF_8));
  }
}
