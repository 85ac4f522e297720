package dev.vramscope.store;

import dev.vramscope.store.files.DataFolder;
import dev.vramscope.store.files.OriginalFiles;
import dev.vramscope.store.files.StoreErrors;
import dev.vramscope.store.listing.StoredSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Compares the database with the original files, at the start and when the database was opened
 * again after a failure, which may have lost its last changes: finds the rows that are missing,
 * damaged, or of deleted snapshots. It reads names and rows, not the originals.
 */
@Component
final class Reconciliation {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciliation.class);

  private final OriginalFiles files;
  private final Originals originals;
  private final SnapshotIndex index;
  private final SnapshotRepair repair;
  private final StoreState state;
  private final Database database;

  Reconciliation(
      DataFolder folder,
      Originals originals,
      SnapshotIndex index,
      SnapshotRepair repair,
      StoreState state,
      Database database) {
    files = folder.originals();
    this.originals = originals;
    this.index = index;
    this.repair = repair;
    this.state = state;
    this.database = database;
  }

  /** Completes what a crash has interrupted. Only before the first request. */
  void finishInterrupted() {
    try {
      OriginalFiles.Listing listing = files.list();
      for (String sha256 : listing.unfinished()) {
        complete(() -> files.finishUpload(sha256));
      }
      for (String sha256 : listing.deletions()) {
        if (files.isStored(sha256)) {
          complete(() -> files.removeDeletionMark(sha256));
        } else {
          complete(() -> files.finishDeletion(sha256));
        }
      }
    } catch (IOException failed) {
      LOG.warn("The original files cannot be listed", failed);
    }
  }

  private static void complete(SnapshotIndex.FileChange change) {
    try {
      change.apply();
    } catch (IOException failed) {
      LOG.warn("What an earlier process has left was not completed", failed);
    }
  }

  /**
   * Compares now. Each difference is confirmed, because requests may be in progress. If a row is
   * damaged, or a lookup does not find one, the whole database is to be replaced.
   */
  void compare() {
    if (database.mode() == Database.Mode.CLOSED) {
      return; // Every snapshot is found to be without rows when it is requested.
    }
    OriginalFiles.Listing listing = list();
    Set<String> different = new HashSet<>(listing.originals());
    different.addAll(listing.sidecars());
    different.removeAll(listing.deletions());
    Map<String, StoredSnapshot> rows = intactRows();
    rows.forEach(
        (sha256, row) -> {
          state.named(row);
          if (!listing.originals().contains(sha256) || !different.remove(sha256)) {
            repair.compare(row.id(), sha256);
          }
        });
    for (String sha256 : different) {
      if (!rows.containsKey(sha256)) {
        repair.compare(originals.idOf(sha256), sha256);
      }
    }
    for (String sha256 : listing.deletions()) {
      if (!rows.containsKey(sha256)) {
        repair.forgetOldDeletion(sha256);
      }
    }
  }

  private OriginalFiles.Listing list() {
    try {
      return files.list();
    } catch (IOException failed) {
      throw StoreErrors.notRead(failed, OriginalFiles.WHERE);
    }
  }

  /** The rows by SHA-256. A damaged row is left out, and so rebuilt. */
  private Map<String, StoredSnapshot> intactRows() {
    Map<String, StoredSnapshot> intact = new HashMap<>();
    List<String> unsealed = new ArrayList<>();
    List<SnapshotRow> all = index.verifiedRows();
    for (SnapshotRow row : all) {
      if (row.isIntact()) {
        intact.put(row.snapshot().sha256(), row.snapshot());
      } else {
        LOG.warn("A row of the database is damaged: {}", row.snapshot().id());
      }
      if (row.checksum() == null) {
        unsealed.add(row.snapshot().id());
      }
    }
    if (!unsealed.isEmpty() && database.mode() == Database.Mode.WRITABLE) {
      index.seal(unsealed);
    }
    return intact;
  }
}
