package dev.vramscope.store;

import com.github.luben.zstd.ZstdInputStream;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.codec.SnapshotDecoder;
import dev.vramscope.store.codec.SnapshotEncoder;
import dev.vramscope.store.codec.UnreadableBlobException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The stored snapshots. Thread-safe. Every method throws {@link StoreUnavailableException} if the
 * disk or the database fails.
 */
@Component
public final class SnapshotStore {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotStore.class);
  private static final int MIN_ID_LENGTH = 16;
  private static final int MAX_ATTEMPTS = 5;

  private final DataFolder folder;
  private final DatabasePool database;
  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;
  private final SnapshotRows rows;
  private final BlobRows blobs;

  SnapshotStore(DataFolder folder, DatabasePool database) {
    this.folder = folder;
    this.database = database;
    jdbc = new JdbcTemplate(database);
    transaction = new TransactionTemplate(new JdbcTransactionManager(database));
    rows = new SnapshotRows(jdbc);
    blobs = new BlobRows(jdbc);
  }

  /**
   * Stores a snapshot and its original file in one transaction, and forces it to disk before
   * returning. If the file is stored already, nothing is changed.
   */
  public SaveResult save(Snapshot snapshot, Upload upload) {
    return translateErrors(
        () -> {
          for (int attempt = 1; ; attempt++) {
            Optional<StoredSnapshot> existing = rows.bySha256(upload.sha256());
            if (existing.isPresent()) {
              forceToDisk(); // The other upload may not have done so yet.
              return new SaveResult(existing.get(), /* existed= */ true);
            }
            try {
              return forcedToDisk(
                  new SaveResult(
                      inTransaction(() -> insert(snapshot, upload)), /* existed= */ false));
            } catch (DuplicateKeyException | CannotAcquireLockException concurrentUpload) {
              // Another upload of the same file came first: use its row.
              if (attempt == MAX_ATTEMPTS) {
                throw concurrentUpload;
              }
            }
          }
        });
  }

  /** The snapshot whose original file has this hash; empty if it is not stored. */
  public Optional<StoredSnapshot> findByHash(String sha256) {
    return readWithRetry(() -> rows.bySha256(sha256));
  }

  /** Replaces the name and the tags of a snapshot; empty if it does not exist. */
  public Optional<StoredSnapshot> update(String id, String name, Tags tags) {
    return translateErrors(
        () -> {
          Optional<StoredSnapshot> updated =
              inTransaction(() -> rows.byId(id).map(stored -> update(stored, name, tags)));
          forceToDisk();
          return updated;
        });
  }

  /** The metadata of a stored snapshot. */
  public Optional<StoredSnapshot> get(String id) {
    return readWithRetry(() -> rows.byId(id));
  }

  /** The snapshots that match a filter, newest first. */
  public List<StoredSnapshot> find(SnapshotFilter filter) {
    return readWithRetry(() -> rows.find(filter));
  }

  /** The totals of the given jobs, over all snapshots that match a filter. */
  public Map<String, JobTotals> jobTotals(SnapshotFilter filter, List<String> jobs) {
    return readWithRetry(() -> rows.jobTotals(filter, jobs));
  }

  /** The number of snapshots that match a filter, ignoring its limit and offset. */
  public long count(SnapshotFilter filter) {
    return readWithRetry(() -> rows.count(filter));
  }

  /**
   * The complete model of a snapshot; empty if it does not exist or was deleted.
   *
   * @throws UnreadableBlobException if the stored columns are damaged
   */
  public Optional<Snapshot> load(String id) {
    return readWithRetry(
        () -> {
          if (rows.byId(id).isEmpty()) {
            return Optional.empty();
          }
          try {
            return Optional.of(
                inTransaction(() -> SnapshotDecoder.decode(key -> blobs.get(id, key))));
          } catch (UnreadableBlobException | DataAccessException unreadable) {
            // Deleted while it was being read.
            if (rows.byId(id).isEmpty()) {
              return Optional.empty();
            }
            throw unreadable;
          }
        });
  }

  /**
   * The original file. It is copied to the spool first, so that a slow reader does not hold a
   * connection and a deletion does not interrupt it.
   */
  public Optional<OriginalFile> original(String id) {
    return readWithRetry(
        () -> {
          Optional<StoredSnapshot> stored = rows.byId(id);
          SpoolFile copy = folder.spool().create();
          boolean returned = false;
          try {
            if (stored.isEmpty() || !copyOriginal(id, copy)) {
              return Optional.empty();
            }
            InputStream stream = new DeletingStream(new ZstdInputStream(copy.input()), copy);
            returned = true;
            return Optional.of(
                new OriginalFile(stored.get().name(), stored.get().originalBytes(), stream));
          } catch (IOException unreadable) {
            throw StoreErrors.of(unreadable, copy.path());
          } finally {
            if (!returned) {
              copy.close();
            }
          }
        });
  }

  /** Deletes a snapshot and all its data; returns false if it does not exist. */
  public boolean delete(String id) {
    return translateErrors(
        () -> {
          boolean deleted = Boolean.TRUE.equals(inTransaction(() -> rows.delete(id)));
          if (deleted) {
            forceToDisk();
          }
          return deleted;
        });
  }

  private boolean copyOriginal(String id, SpoolFile copy) {
    try (OutputStream out = copy.output()) {
      return Boolean.TRUE.equals(inTransaction(() -> blobs.copyOriginal(id, out)));
    } catch (DataAccessException | UncheckedIOException unreadable) {
      if (rows.byId(id).isEmpty()) {
        return false; // Deleted while it was being copied.
      }
      throw unreadable;
    } catch (IOException failed) {
      throw StoreErrors.of(failed, copy.path());
    }
  }

  private StoredSnapshot insert(Snapshot snapshot, Upload upload) {
    List<DeviceTotals> devices = snapshot.devices().stream().map(DeviceTotals::of).toList();
    StoredSnapshot stored = metadata(unusedId(upload.sha256()), snapshot, upload, devices);
    // Checked first: rolled-back data also take disk space until they are cleaned up.
    long compressedBytes = upload.compressed().toFile().length();
    folder.requireFreeSpace(compressedBytes);
    rows.insert(stored, snapshot, devices);
    AtomicLong bytes = new AtomicLong();
    SnapshotEncoder.encode(
        snapshot,
        (key, blob) -> {
          folder.requireFreeSpace(blob.length + compressedBytes);
          bytes.addAndGet(blob.length);
          blobs.insert(stored.id(), key, blob);
        });
    blobs.insertOriginal(stored.id(), upload.compressed());
    rows.setStoredBytes(stored.id(), bytes.get());
    return stored.withStoredBytes(bytes.get());
  }

  private static StoredSnapshot metadata(
      String id, Snapshot snapshot, Upload upload, List<DeviceTotals> devices) {
    DeviceTotals total = DeviceTotals.total(devices);
    return new StoredSnapshot(
        id,
        upload.name(),
        upload.tags(),
        Instant.now().truncatedTo(ChronoUnit.MICROS),
        upload.sha256(),
        upload.bytes(),
        0,
        snapshot.origin().format(),
        snapshot.origin().producer(),
        devices.size(),
        total.eventCount(),
        total.segmentCount(),
        total.blockCount(),
        total.reservedBytes(),
        total.allocatedBytes(),
        upload.peakBytes(),
        snapshot.devices().stream().mapToInt(device -> device.trace().ooms().size()).sum(),
        snapshot.findings().size());
  }

  /** The shortest unused prefix of the hash, of at least 16 digits. */
  private String unusedId(String sha256) {
    int digits = MIN_ID_LENGTH;
    while (digits < sha256.length() && rows.byId(sha256.substring(0, digits)).isPresent()) {
      digits++;
    }
    return sha256.substring(0, digits);
  }

  private StoredSnapshot update(StoredSnapshot stored, String name, Tags tags) {
    StoredSnapshot updated = stored.withMetadata(name, tags);
    if (!updated.equals(stored)) {
      rows.updateMetadata(updated);
    }
    return updated;
  }

  private SaveResult forcedToDisk(SaveResult saved) {
    forceToDisk();
    return saved;
  }

  /** Forces the database file to disk: H2 acknowledges a commit up to 0.5 s before writing it. */
  private void forceToDisk() {
    jdbc.execute("checkpoint sync");
  }

  private <T> T inTransaction(Supplier<T> work) {
    T result = transaction.execute(_ -> work.get());
    if (result == null) {
      throw new IllegalStateException("the transaction has no result");
    }
    return result;
  }

  /** Retries a read if a failed write had closed the database: no stored data are lost. */
  private <T> T readWithRetry(Supplier<T> work) {
    try {
      return work.get();
    } catch (DataAccessException | TransactionException failed) {
      if (!database.reopenIfClosedBy(failed)) {
        LOG.warn("The database failed", failed);
        throw StoreErrors.of(failed);
      }
    }
    return translateErrors(work);
  }

  private <T> T translateErrors(Supplier<T> work) {
    try {
      return work.get();
    } catch (DataAccessException | TransactionException failed) {
      LOG.warn("The database failed", failed);
      database.reopenIfClosedBy(failed);
      throw StoreErrors.of(failed);
    }
  }

  /** A stream that deletes its file when it is closed. */
  private static final class DeletingStream extends FilterInputStream {
    private final SpoolFile file;

    DeletingStream(InputStream in, SpoolFile file) {
      super(in);
      this.file = file;
    }

    @Override
    public void close() throws IOException {
      try (file) {
        super.close();
      }
    }
  }
}
