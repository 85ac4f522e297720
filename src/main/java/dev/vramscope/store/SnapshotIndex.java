package dev.vramscope.store;

import dev.vramscope.evidence.AttachedText;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.codec.SnapshotDecoder;
import dev.vramscope.store.codec.SnapshotEncoder;
import dev.vramscope.store.codec.UnreadableBlobException;
import dev.vramscope.store.files.DataFolder;
import dev.vramscope.store.files.DiskSpace;
import dev.vramscope.store.files.OriginalFiles;
import dev.vramscope.store.files.StoreErrors;
import dev.vramscope.store.listing.DeviceTotals;
import dev.vramscope.store.listing.FailureAnswer;
import dev.vramscope.store.listing.JobTotals;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Rows and columns of the snapshots: what the database holds, and what can be rebuilt from the
 * originals. Thread-safe.
 */
@Component
final class SnapshotIndex {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotIndex.class);

  private final Database database;
  private final DiskSpace space;
  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;

  /** All its statements read the same state, without waiting for writes. */
  private final TransactionTemplate consistent;

  private final SnapshotRows rows;
  private final BlobRows blobs;
  private final ReplayRows replays;
  private final EvidenceRows evidence;

  SnapshotIndex(DataFolder folder, Database database) {
    this.database = database;
    space = folder.space();
    jdbc = new JdbcTemplate(database);
    JdbcTransactionManager transactions = new JdbcTransactionManager(database);
    transaction = new TransactionTemplate(transactions);
    consistent = new TransactionTemplate(transactions);
    consistent.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
    rows = new SnapshotRows(jdbc);
    blobs = new BlobRows(jdbc);
    replays = new ReplayRows(jdbc);
    evidence = new EvidenceRows(jdbc);
  }

  /** A change of files that belongs to a transaction. */
  @FunctionalInterface
  interface FileChange {
    void apply() throws IOException;
  }

  Optional<StoredSnapshot> byId(String id) {
    return read(() -> rows.byId(id));
  }

  Optional<StoredSnapshot> bySha256(String sha256) {
    return read(() -> rows.bySha256(sha256));
  }

  List<StoredSnapshot> find(SnapshotFilter filter, Set<String> hidden) {
    return read(() -> rows.find(filter, hidden));
  }

  long count(SnapshotFilter filter, Set<String> hidden) {
    return read(() -> rows.count(filter, hidden));
  }

  Map<String, JobTotals> jobTotals(SnapshotFilter filter, List<String> jobs, Set<String> hidden) {
    return read(() -> rows.jobTotals(filter, jobs, hidden));
  }

  /**
   * All rows, also damaged ones. If one is damaged, or a lookup does not find every row, the
   * database is to be replaced: such a row can hide from the deletion that would repair it.
   */
  List<SnapshotRow> verifiedRows() {
    int generation = database.generation();
    return read(() -> inTransaction(consistent, () -> verified(generation)));
  }

  private List<SnapshotRow> verified(int generation) {
    List<SnapshotRow> all = rows.all();
    if (!all.stream().allMatch(SnapshotRow::isIntact)) {
      damaged("a row does not match its checksum", generation);
    } else if (!rows.areIndexesIntact(all.stream().map(SnapshotRow::snapshot).toList())) {
      damaged("an index does not find every row", generation);
    }
    return all;
  }

  private void damaged(String what, int generation) {
    database.damaged(new IllegalStateException(what), generation);
  }

  /**
   * Decodes the columns of a snapshot.
   *
   * @throws UnreadableBlobException if a blob is missing or damaged
   */
  Snapshot load(String id) {
    return read(() -> inTransaction(() -> SnapshotDecoder.decode(key -> blobs.get(id, key))));
  }

  /**
   * Writes all rows and columns of a snapshot, in place of those with the same id or hash.
   *
   * @param attached the texts that users attached
   * @param files is applied last before the commit; if it fails, nothing is written
   */
  StoredSnapshot put(
      StoredSnapshot stored, Snapshot snapshot, List<AttachedText> attached, FileChange files) {
    List<DeviceTotals> devices = snapshot.devices().stream().map(DeviceTotals::of).toList();
    return write(
        () -> {
          rows.deleteFor(stored);
          rows.insert(stored, snapshot, devices);
          AtomicLong bytes = new AtomicLong();
          SnapshotEncoder.encode(
              snapshot,
              (key, blob) -> {
                space.require(blob.length);
                bytes.addAndGet(blob.length);
                blobs.insert(stored.id(), key, blob);
              });
          rows.setStoredBytes(stored.id(), bytes.get());
          evidence.replace(stored.id(), attached);
          rows.seal(stored.id());
          apply(files);
          return stored.withStoredBytes(bytes.get());
        });
  }

  /** Writes name and tags, and forces them to disk: a start compares no names and tags. */
  void update(StoredSnapshot updated, FileChange files) {
    write(
        () -> {
          rows.updateMetadata(updated);
          apply(files);
          return updated;
        });
    forceWritten();
  }

  /** Texts that users attached; empty if the rows of one are damaged. */
  Optional<List<AttachedText>> evidence(String id) {
    return read(() -> evidence.find(id));
  }

  /** Writes all attached texts of a snapshot, and forces them to disk as {@link #update} does. */
  void setEvidence(String id, List<AttachedText> texts, FileChange files) {
    write(
        () -> {
          evidence.replace(id, texts);
          apply(files);
          return id;
        });
    forceWritten();
  }

  private void forceWritten() {
    try {
      database.force();
    } catch (DataAccessException failed) {
      LOG.warn("The database failed", failed);
      database.reopenAfter(failed);
      throw StoreErrors.notWritten(failed);
    }
  }

  /** The ids and hashes of snapshots whose results another release has computed. */
  Map<String, String> withOldResults() {
    return read(rows::withOldResults);
  }

  /** Writes results in place of those of another release. */
  void setResults(String id, @Nullable Long peakBytes, int findingCount) {
    write(
        () -> {
          rows.setResults(id, peakBytes, findingCount);
          return id;
        });
  }

  /** Writes the answer about the first failure. */
  void setAnswer(String id, FailureAnswer answer) {
    write(
        () -> {
          rows.setAnswer(id, answer);
          return id;
        });
  }

  /** Results of replays, by what was replayed. */
  Map<String, String> replays(String id, int engine) {
    return read(() -> replays.find(id, engine));
  }

  /** Writes a result of a replay. */
  void putReplay(String id, int engine, String request, String result) {
    write(
        () -> {
          replays.put(id, engine, request, result);
          return id;
        });
  }

  /** Adds the checksums of rows that an older release has written. */
  void seal(List<String> ids) {
    write(
        () -> {
          ids.forEach(rows::seal);
          return ids;
        });
  }

  /**
   * Deletes the rows and columns, and forces that to disk. Returns false if the database cannot be
   * written now.
   */
  boolean delete(String id) {
    if (database.mode() != Database.Mode.WRITABLE) {
      return false;
    }
    try {
      transaction.executeWithoutResult(_ -> rows.delete(id));
      database.force();
      return true;
    } catch (DataAccessException | TransactionException failed) {
      LOG.warn("The rows of {} cannot be deleted now", id, failed);
      database.reopenAfter(failed);
      return false;
    }
  }

  /** The ids of snapshots whose original is still in the database. */
  Set<String> originalsInDatabase() {
    return Set.copyOf(read(blobs::originalsInDatabase));
  }

  /** Opens the original of an older release, compressed; empty if there is none. */
  Optional<InputStream> openOriginal(String id) {
    return read(() -> BlobRows.openOriginal(database, id));
  }

  /** Copies the original of an older release; returns false if there is none. */
  boolean copyOriginal(String id, OutputStream target) {
    return read(() -> inTransaction(() -> blobs.copyOriginal(id, target)));
  }

  /** Removes the original from the database after it was moved to a file. */
  void deleteOriginal(String id) {
    write(
        () -> {
          blobs.deleteOriginal(id);
          return id;
        });
  }

  private void apply(FileChange files) {
    try {
      files.apply();
    } catch (IOException failed) {
      throw space.stop(StoreErrors.notWritten(failed, OriginalFiles.WHERE));
    }
  }

  private <T> T inTransaction(Supplier<T> work) {
    return inTransaction(transaction, work);
  }

  private static <T> T inTransaction(TransactionTemplate transaction, Supplier<T> work) {
    T result = transaction.execute(_ -> work.get());
    if (result == null) {
      throw new IllegalStateException("the transaction has no result");
    }
    return result;
  }

  /**
   * Reads, once more if a failed write has closed the database. One that cannot be read even then
   * is replaced by {@link StoreMaintenance}.
   */
  private <T> T read(Supplier<T> work) {
    try {
      return work.get();
    } catch (DataAccessException | TransactionException failed) {
      if (!database.reopenAfter(failed)) {
        LOG.warn("The database failed", failed);
        throw StoreErrors.notRead(failed);
      }
    }
    int generation = database.generation(); // After it was opened again.
    try {
      return work.get();
    } catch (DataAccessException | TransactionException failed) {
      if (DatabaseFailure.of(failed) == DatabaseFailure.DAMAGED) {
        database.damaged(failed, generation);
      }
      LOG.warn("The database failed", failed);
      throw StoreErrors.notRead(failed);
    }
  }

  private <T> T write(Supplier<T> work) {
    database.requireWritable();
    try {
      return inTransaction(work);
    } catch (DataAccessException | TransactionException failed) {
      LOG.warn("The database failed", failed);
      database.reopenAfter(failed);
      throw StoreErrors.notWritten(failed);
    }
  }
}
