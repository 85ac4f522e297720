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
 * The stored snapshots. Every method may be called from any thread; every one throws {@link
 * StoreUnavailableException} when the disk or the database does not play along.
 */
@Component
public final class SnapshotStore {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotStore.class);
  private static final int SHORTEST_ID = 16;
  private static final int ATTEMPTS = 5;

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
   * Stores a snapshot with its original: all of it in one transaction, forced to disk before this
   * returns. A file that is stored already only has its tags replaced.
   */
  public SaveResult save(Snapshot snapshot, Upload upload) {
    return guarded(
        () -> {
          for (int attempt = 1; ; attempt++) {
            Optional<SaveResult> known =
                inTransaction(() -> retagged(upload.sha256(), upload.tags()));
            if (known.isPresent()) {
              return durably(known.get());
            }
            try {
              return durably(
                  new SaveResult(
                      inTransaction(() -> insert(snapshot, upload)), /* existed= */ false));
            } catch (DuplicateKeyException | CannotAcquireLockException sameFileAtOnce) {
              // Another upload of the same file was quicker: take its row.
              if (attempt == ATTEMPTS) {
                throw sameFileAtOnce;
              }
            }
          }
        });
  }

  /** The snapshot of a file that is stored already, with its tags replaced by those given. */
  public Optional<SaveResult> retag(String sha256, Tags tags) {
    return guarded(() -> inTransaction(() -> retagged(sha256, tags)).map(this::durably));
  }

  /** A stored snapshot's facts. */
  public Optional<StoredSnapshot> get(String id) {
    return reading(() -> rows.byId(id));
  }

  /** The snapshots that pass a filter, newest first. */
  public List<StoredSnapshot> find(SnapshotFilter filter) {
    return reading(() -> rows.find(filter));
  }

  /** How many pass a filter, whatever its limit and offset. */
  public long count(SnapshotFilter filter) {
    return reading(() -> rows.count(filter));
  }

  /**
   * The whole model of a snapshot; empty when there is none, or none any more.
   *
   * @throws UnreadableBlobException when what is stored is damaged
   */
  public Optional<Snapshot> load(String id) {
    return reading(
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
   * The file as it was uploaded. It is copied to the spool first: a slow reader holds no
   * connection, and a deletion does not cut it off.
   */
  public Optional<OriginalFile> original(String id) {
    return reading(
        () -> {
          Optional<StoredSnapshot> stored = rows.byId(id);
          SpoolFile copy = folder.spool().create();
          boolean handedOut = false;
          try {
            if (stored.isEmpty() || !copied(id, copy)) {
              return Optional.empty();
            }
            InputStream stream = new UntilClosed(new ZstdInputStream(copy.input()), copy);
            handedOut = true;
            return Optional.of(
                new OriginalFile(stored.get().name(), stored.get().originalBytes(), stream));
          } catch (IOException unreadable) {
            throw StoreFaults.of(unreadable, copy.path());
          } finally {
            if (!handedOut) {
              copy.close();
            }
          }
        });
  }

  /** Deletes a snapshot with all that belongs to it; false when there is none. */
  public boolean delete(String id) {
    return guarded(
        () -> {
          boolean deleted = Boolean.TRUE.equals(inTransaction(() -> rows.delete(id)));
          if (deleted) {
            force();
          }
          return deleted;
        });
  }

  private boolean copied(String id, SpoolFile copy) {
    try (OutputStream out = copy.output()) {
      return Boolean.TRUE.equals(inTransaction(() -> blobs.copyOriginal(id, out)));
    } catch (DataAccessException | UncheckedIOException unreadable) {
      if (rows.byId(id).isEmpty()) {
        return false; // Deleted while it was being copied.
      }
      throw unreadable;
    } catch (IOException failed) {
      throw StoreFaults.of(failed, copy.path());
    }
  }

  private StoredSnapshot insert(Snapshot snapshot, Upload upload) {
    List<DeviceFacts> devices = snapshot.devices().stream().map(DeviceFacts::of).toList();
    StoredSnapshot stored = facts(freeId(upload.sha256()), snapshot, upload, devices);
    // Asked first: what is written and rolled back takes room, too, until it is cleared away.
    long packedBytes = upload.packed().toFile().length();
    folder.requireRoom(packedBytes);
    rows.insert(stored, snapshot, devices);
    AtomicLong bytes = new AtomicLong();
    SnapshotEncoder.encode(
        snapshot,
        (key, blob) -> {
          folder.requireRoom(blob.length + packedBytes);
          bytes.addAndGet(blob.length);
          blobs.insert(stored.id(), key, blob);
        });
    blobs.insertOriginal(stored.id(), upload.packed());
    rows.setStoredBytes(stored.id(), bytes.get());
    return stored.stored(bytes.get());
  }

  private static StoredSnapshot facts(
      String id, Snapshot snapshot, Upload upload, List<DeviceFacts> devices) {
    DeviceFacts total = DeviceFacts.total(devices);
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
        snapshot.devices().stream().mapToInt(device -> device.trace().ooms().size()).sum(),
        snapshot.findings().size());
  }

  /** The shortest beginning of the hash, from 16 digits on, that no other file has. */
  private String freeId(String sha256) {
    int digits = SHORTEST_ID;
    while (digits < sha256.length() && rows.byId(sha256.substring(0, digits)).isPresent()) {
      digits++;
    }
    return sha256.substring(0, digits);
  }

  private Optional<SaveResult> retagged(String sha256, Tags given) {
    return rows.bySha256(sha256)
        .map(
            stored -> {
              Tags tags = stored.tags().replacedBy(given);
              if (!tags.equals(stored.tags())) {
                rows.retag(stored, tags);
              }
              return new SaveResult(stored.tagged(tags), /* existed= */ true);
            });
  }

  private SaveResult durably(SaveResult saved) {
    force();
    return saved;
  }

  /** Forces the file to disk: H2 alone acknowledges a commit up to half a second too early. */
  private void force() {
    jdbc.execute("checkpoint sync");
  }

  private <T> T inTransaction(Supplier<T> work) {
    T result = transaction.execute(_ -> work.get());
    if (result == null) {
      throw new IllegalStateException("a transaction without a result");
    }
    return result;
  }

  /** A read asks again where an earlier write had closed the database: its data are all there. */
  private <T> T reading(Supplier<T> work) {
    try {
      return work.get();
    } catch (DataAccessException | TransactionException failed) {
      if (!database.reopenAfter(failed)) {
        LOG.warn("The database failed", failed);
        throw StoreFaults.of(failed);
      }
    }
    return guarded(work);
  }

  private <T> T guarded(Supplier<T> work) {
    try {
      return work.get();
    } catch (DataAccessException | TransactionException failed) {
      LOG.warn("The database failed", failed);
      database.reopenAfter(failed);
      throw StoreFaults.of(failed);
    }
  }

  /** A stream that takes its file with it. */
  private static final class UntilClosed extends FilterInputStream {
    private final SpoolFile file;

    UntilClosed(InputStream in, SpoolFile file) {
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
