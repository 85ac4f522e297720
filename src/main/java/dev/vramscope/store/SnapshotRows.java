package dev.vramscope.store;

import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.store.listing.DeviceTotals;
import dev.vramscope.store.listing.FailureAnswer;
import dev.vramscope.store.listing.JobTotals;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The searchable rows. Callers manage the transaction. */
final class SnapshotRows {
  /** The maximum number of searchable rows per table and snapshot; the columns have all of them. */
  private static final int MAX_SIDE_ROWS = 1000;

  /** The number of snapshots whose labels are read by one statement. */
  private static final int LABEL_ROWS = 1000;

  private final JdbcClient jdbc;
  private final JdbcTemplate batches;

  SnapshotRows(JdbcTemplate batches) {
    this.batches = batches;
    jdbc = JdbcClient.create(batches);
  }

  Optional<StoredSnapshot> byId(String id) {
    return one("select * from snapshots where id = ?", id);
  }

  Optional<StoredSnapshot> bySha256(String sha256) {
    return one("select * from snapshots where sha256 = ?", sha256);
  }

  List<StoredSnapshot> find(SnapshotFilter filter, Set<String> hidden) {
    FilterCondition condition = FilterCondition.of(filter, hidden);
    return intact(
        jdbc.sql(
                "select * from snapshots"
                    + condition.where()
                    + " order by "
                    + filter.order().sql()
                    + " limit :limit offset :offset")
            .params(condition.parameters())
            .param("limit", filter.limit())
            .param("offset", filter.offset())
            .query(SnapshotRow::of)
            .list());
  }

  /** All rows. */
  List<SnapshotRow> all() {
    return withLabels(jdbc.sql("select * from snapshots").query(SnapshotRow::of).list());
  }

  boolean areIndexesIntact(List<StoredSnapshot> all) {
    return new IndexVerification(jdbc).areIntact(all);
  }

  long count(SnapshotFilter filter, Set<String> hidden) {
    FilterCondition condition = FilterCondition.of(filter, hidden);
    return jdbc.sql("select count(*) from snapshots" + condition.where())
        .params(condition.parameters())
        .query(Long.class)
        .single();
  }

  Map<String, JobTotals> jobTotals(SnapshotFilter filter, List<String> jobs, Set<String> hidden) {
    FilterCondition condition = FilterCondition.of(filter, hidden);
    Map<String, JobTotals> totals = new HashMap<>();
    jdbc.sql(
            "select job, count(*), count(distinct rank), count(nullif(oom_count, 0)) from"
                + " snapshots"
                + (condition.where().isEmpty() ? " where" : condition.where() + " and")
                + " job in (:jobs) group by job")
        .params(condition.parameters())
        .param("jobs", jobs)
        .query(
            row -> {
              totals.put(
                  row.getString(1), new JobTotals(row.getLong(2), row.getLong(3), row.getLong(4)));
            });
    return totals;
  }

  /** Inserts all rows; {@link #seal} completes them. */
  void insert(StoredSnapshot stored, Snapshot snapshot, List<DeviceTotals> devices) {
    insertSnapshot(stored);
    insertLabels(stored.id(), stored.tags());
    batches.batchUpdate(
        "insert into devices values (?, ?, ?, ?, ?, ?, ?)",
        devices.stream()
            .map(
                device ->
                    new Object[] {
                      stored.id(),
                      device.ordinal(),
                      device.eventCount(),
                      device.segmentCount(),
                      device.blockCount(),
                      device.reservedBytes(),
                      device.allocatedBytes()
                    })
            .toList());
    insertOoms(stored.id(), snapshot);
    insertFindings(stored.id(), snapshot.findings());
  }

  /** The snapshots whose results another release has computed, newest first: ids and hashes. */
  Map<String, String> withOldResults() {
    Map<String, String> hashes = new LinkedHashMap<>();
    jdbc.sql(
            "select id, sha256 from snapshots where results_version is null or results_version <>"
                + " ? order by uploaded desc")
        .param(SnapshotRow.RESULTS_VERSION)
        .query(
            row -> {
              hashes.put(row.getString(1), row.getString(2));
            });
    return hashes;
  }

  /** Writes results of the current version. */
  void setResults(String id, @Nullable Long peakBytes, int findingCount) {
    jdbc.sql(
            "update snapshots set peak_bytes = ?, finding_count = ?, results_version = ? where id"
                + " = ?")
        .params(Arrays.asList(peakBytes, findingCount, SnapshotRow.RESULTS_VERSION, id))
        .update();
    seal(id);
  }

  /** Writes the answer about the first failure. */
  void setAnswer(String id, FailureAnswer answer) {
    int changed =
        jdbc.sql("update snapshots set cause = ?, advice = ?, answer_version = ? where id = ?")
            .param(answer.cause())
            .param(answer.advice())
            .param(SnapshotRow.ANSWER_VERSION)
            .param(id)
            .update();
    if (changed > 0) {
      seal(id);
    }
  }

  void setStoredBytes(String id, long bytes) {
    jdbc.sql("update snapshots set stored_bytes = ? where id = ?").param(bytes).param(id).update();
  }

  /** Stores the checksum of a row and its labels after a change. */
  void seal(String id) {
    SnapshotRow row =
        withLabels(
                jdbc.sql("select * from snapshots where id = ?")
                    .param(id)
                    .query(SnapshotRow::of)
                    .list())
            .getFirst();
    jdbc.sql("update snapshots set checksum = ? where id = ?")
        .param(row.expectedChecksum())
        .param(id)
        .update();
  }

  /** Writes the name and the tags. */
  void updateMetadata(StoredSnapshot stored) {
    Tags tags = stored.tags();
    jdbc.sql(
            "update snapshots set name = ?, job = ?, rank = ?, host = ?, step = ?, search = ?"
                + " where id = ?")
        .params(
            Arrays.asList(
                stored.name(),
                tags.job(),
                tags.rank(),
                tags.host(),
                tags.step(),
                searchText(stored.name(), tags),
                stored.id()))
        .update();
    jdbc.sql("delete from labels where snapshot_id = ?").param(stored.id()).update();
    insertLabels(stored.id(), tags);
    seal(stored.id());
  }

  /** Makes room for a new row: a damaged one may have a wrong id or a wrong hash. */
  void deleteFor(StoredSnapshot stored) {
    jdbc.sql("delete from snapshots where id = ? or sha256 = ?")
        .param(stored.id())
        .param(stored.sha256())
        .update();
  }

  /** Deletes a snapshot and, by cascade, everything that references it. */
  boolean delete(String id) {
    return jdbc.sql("delete from snapshots where id = ?").param(id).update() == 1;
  }

  private void insertSnapshot(StoredSnapshot stored) {
    jdbc.sql(
            """
            insert into snapshots (id, sha256, name, uploaded, original_bytes, stored_bytes,
              format, producer, device_count, event_count, segment_count, block_count,
              reserved_bytes, allocated_bytes, peak_bytes, oom_count, finding_count,
              results_version, job, rank, host, step, search)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        .params(
            Arrays.asList(
                stored.id(),
                stored.sha256(),
                stored.name(),
                stored.uploaded().atOffset(ZoneOffset.UTC),
                stored.originalBytes(),
                stored.storedBytes(),
                stored.format(),
                stored.producer(),
                stored.deviceCount(),
                stored.eventCount(),
                stored.segmentCount(),
                stored.totals().blockCount(),
                stored.reservedBytes(),
                stored.allocatedBytes(),
                stored.peakBytes(),
                stored.oomCount(),
                stored.totals().findingCount(),
                SnapshotRow.RESULTS_VERSION,
                stored.tags().job(),
                stored.tags().rank(),
                stored.tags().host(),
                stored.tags().step(),
                searchText(stored.name(), stored.tags())))
        .update();
  }

  private void insertLabels(String id, Tags tags) {
    List<Object[]> rows = new ArrayList<>();
    for (String label : tags.labels()) {
      rows.add(new Object[] {id, rows.size(), label});
    }
    batches.batchUpdate("insert into labels values (?, ?, ?)", rows);
  }

  private void insertOoms(String id, Snapshot snapshot) {
    List<Object[]> rows = new ArrayList<>();
    for (var device : snapshot.devices()) {
      for (OomEvent oom : device.trace().ooms()) {
        boolean unknown = oom.deviceFreeBytes() == OomEvent.UNKNOWN;
        rows.add(
            new Object[] {
              id,
              device.ordinal(),
              oom.event(),
              oom.requestedBytes(),
              unknown ? null : oom.deviceFreeBytes()
            });
      }
    }
    batches.batchUpdate("insert into oom_events values (?, ?, ?, ?, ?)", limited(rows));
  }

  private void insertFindings(String id, List<Finding> findings) {
    List<Object[]> rows = new ArrayList<>();
    for (Finding finding : findings) {
      rows.add(
          new Object[] {
            id,
            rows.size(),
            finding.severity().name(),
            finding.code(),
            finding.message(),
            finding.count()
          });
    }
    batches.batchUpdate("insert into findings values (?, ?, ?, ?, ?, ?)", limited(rows));
  }

  private static List<Object[]> limited(List<Object[]> rows) {
    return rows.subList(0, Math.min(rows.size(), MAX_SIDE_ROWS));
  }

  private Optional<StoredSnapshot> one(String sql, String key) {
    return intact(jdbc.sql(sql).param(key).query(SnapshotRow::of).list()).stream().findFirst();
  }

  /** The rows that are not damaged; the others are missing, like rows that were never written. */
  private List<StoredSnapshot> intact(List<SnapshotRow> rows) {
    return withLabels(rows).stream()
        .filter(SnapshotRow::isIntact)
        .map(SnapshotRow::snapshot)
        .toList();
  }

  private List<SnapshotRow> withLabels(List<SnapshotRow> unlabelled) {
    if (unlabelled.isEmpty()) {
      return unlabelled;
    }
    Map<String, List<String>> labels = new HashMap<>();
    for (int from = 0; from < unlabelled.size(); from += LABEL_ROWS) {
      List<SnapshotRow> some =
          unlabelled.subList(from, Math.min(unlabelled.size(), from + LABEL_ROWS));
      jdbc.sql(
              "select snapshot_id, label from labels where snapshot_id in (:ids)"
                  + " order by snapshot_id, position")
          .param("ids", some.stream().map(row -> row.snapshot().id()).toList())
          .query(
              row -> {
                labels
                    .computeIfAbsent(row.getString(1), _ -> new ArrayList<>())
                    .add(row.getString(2));
              });
    }
    return unlabelled.stream()
        .map(row -> row.withLabels(labels.getOrDefault(row.snapshot().id(), List.of())))
        .toList();
  }

  private static String searchText(String name, Tags tags) {
    StringJoiner text = new StringJoiner("\n").add(name);
    for (String tag : new String[] {tags.job(), tags.rank(), tags.host()}) {
      if (tag != null) {
        text.add(tag);
      }
    }
    tags.labels().forEach(text::add);
    return text.toString().toLowerCase(Locale.ROOT);
  }
}
