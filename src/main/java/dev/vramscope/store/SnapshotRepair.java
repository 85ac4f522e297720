package dev.vramscope.store;

import dev.vramscope.model.Snapshot;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.files.Sidecar;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.StoredSnapshot;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Brings the files and the rows of single snapshots into agreement again: rows are rebuilt from
 * originals, and originals of older releases become files. Thread-safe; locks as {@link
 * SnapshotStore} does.
 */
@Component
final class SnapshotRepair {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotRepair.class);

  private final Originals originals;
  private final SnapshotIndex index;
  private final OriginalReader reader;
  private final StoreState state;
  private final SnapshotLocks locks;

  SnapshotRepair(
      Originals originals,
      SnapshotIndex index,
      StoreState state,
      OriginalReader reader,
      SnapshotLocks locks) {
    this.originals = originals;
    this.index = index;
    this.state = state;
    this.reader = reader;
    this.locks = locks;
  }

  /** Removes the rows of a deleted snapshot if the database can be written. */
  void removeRows(String id) {
    if (index.delete(id)) {
      state.removed(id);
    }
  }

  /** Removes the mark of an old deletion if the snapshot has no row. */
  void forgetOldDeletion(String sha256) {
    try (var _ = locks.lock(sha256)) {
      if (index.bySha256(sha256).isEmpty()) {
        originals.forgetOldDeletion(sha256);
      }
    }
  }

  /** Compares the files and the row of one snapshot, and records what is missing. */
  void compare(String id, String sha256) {
    try (var _ = locks.lock(sha256)) {
      Optional<StoredSnapshot> row = index.byId(id);
      if (originals.isStored(sha256)) {
        if (row.isEmpty()) {
          state.missing(id, sha256);
        }
      } else if (originals.isDeleted(sha256)) {
        if (row.isPresent()) {
          state.deleted(id);
          removeRows(id);
        }
      } else if (row.isPresent()) {
        if (!index.originalsInDatabase().contains(id)) {
          originals.missing(row.get());
        }
      } else if (originals.hasSidecar(sha256)) {
        originals.lost(sha256);
      }
    }
  }

  /**
   * Rebuilds the rows and columns of a snapshot from its verified original; empty if it was
   * deleted. The file is read without the lock: reading waits for heap, which an upload that waits
   * for the lock may hold.
   */
  Optional<Snapshot> rebuild(String id, String sha256) {
    originals.requireDescription(sha256);
    OriginalReader.Content content;
    try (OriginalFile original = originals.open(id, sha256)) {
      content = reader.read(new BufferedInputStream(original.stream()), original.bytes());
    } catch (IOException unreadable) {
      LOG.warn("The original of {} cannot be read again", id, unreadable);
      throw originals.damaged(
          id, "", "Its original file cannot be read again: " + unreadable.getMessage());
    } catch (DamagedSnapshotException damaged) {
      if (originals.isDeleted(sha256)) {
        state.deleted(id);
        return Optional.empty();
      }
      throw originals.damaged(
          id,
          state.damage(id).map(Damage::name).orElse(""),
          "Its original file and its columns are damaged or missing: neither its pages nor its"
              + " download work. Upload the file again to repair it.");
    }
    try (var _ = locks.lock(sha256)) {
      if (!originals.isStored(sha256)) {
        return Optional.empty();
      }
      Sidecar sidecar = originals.sidecar(sha256);
      if (content.snapshot().origin().isLog() && !sidecar.mayBeLog()) {
        throw originals.damaged(
            id, sidecar.name(), "Its original file cannot be read again: it is no snapshot.");
      }
      Snapshot snapshot = sidecar.withOrigin(content.snapshot());
      try {
        StoredSnapshot row =
            index.put(
                sidecar.row(snapshot, content.peakBytes(), content.findingCount()),
                snapshot,
                sidecar.evidence(),
                () -> {});
        state.written(id);
        state.named(row);
      } catch (StoreUnavailableException full) {
        LOG.warn("The rows of {} cannot be written now", id, full);
      }
      return Optional.of(snapshot);
    }
  }

  /**
   * Computes the results of a snapshot again, which another release has computed. Without an intact
   * original they stay unknown.
   */
  void updateResults(String id, String sha256) {
    OriginalReader.Content content;
    try (OriginalFile original = originals.open(id, sha256)) {
      content = reader.read(new BufferedInputStream(original.stream()), original.bytes());
    } catch (IOException | DamagedSnapshotException unreadable) {
      LOG.warn("The results of {} cannot be computed again", id, unreadable);
      return;
    }
    try (var _ = locks.lock(sha256)) {
      if (!state.isDeleted(id)) {
        index.setResults(id, content.peakBytes(), content.findingCount());
      }
    }
  }

  /** Moves an original of an older release from the database to a file. */
  void moveOriginal(String id) {
    Optional<StoredSnapshot> stored = index.byId(id);
    if (stored.isPresent()) {
      try (var _ = locks.lock(stored.get().sha256())) {
        if (!state.isDeleted(id)) {
          originals.moveFromDatabase(stored.get());
        }
      }
    }
  }

  /** Copies an original of an older release from a damaged database to a file, without its row. */
  void saveOriginal(String id) {
    try (Originals.Copy copy = originals.copyFromDamagedDatabase(id);
        var _ = locks.lock(copy.sha256())) {
      originals.adopt(copy);
    }
  }
}
