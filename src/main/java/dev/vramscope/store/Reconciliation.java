package dev.vramscope.store;

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
 * Compares the database with the original files, at the start and when an empty database has taken
 * the place of a damaged one: completes what a crash has interrupted, and finds the rows that are
 * missing, damaged, or of deleted snapshots. It reads names and rows, not the originals.
 */
@Component
final class Reconciliation {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciliation.class);

  private final OriginalFiles files;
  private final Originals originals;
  private final SnapshotIndex index;
  private final SnapshotStore store;
  private final StoreState state;
  private final Database database;

  Reconciliation(
      DataFolder folder,
      Originals originals,
      SnapshotIndex index,
      SnapshotStore store,
      StoreState state,
      Database database) {
    files = folder.originals();
    this.originals = originals;
    this.index = index;
    this.store = store;
    this.state = state;
    this.database = database;
  }

  /** Compares now. */
  void run() {
    OriginalFiles.Listing listing = list();
    Set<String> stored = new HashSet<>(listing.originals());
    stored.removeAll(listing.deletions());
    if (database.mode() == Database.Mode.CLOSED) {
      return; // Every snapshot is found to be without rows when it is requested.
    }
    Map<String, StoredSnapshot> rows = intactRows();
    for (String sha256 : stored) {
      StoredSnapshot row = rows.remove(sha256);
      if (row == null) {
        state.missing(originals.sidecar(sha256).id(), sha256);
      }
    }
    for (String sha256 : listing.sidecars()) {
      if (!stored.contains(sha256)
          && !rows.containsKey(sha256)
          && !listing.deletions().contains(sha256)) {
        originals.lost(sha256);
      }
    }
    Set<String> inDatabase = new HashSet<>(index.originalsInDatabase());
    rows.forEach(
        (sha256, row) -> {
          if (listing.deletions().contains(sha256)) {
            state.deleted(row.id());
            store.removeRows(row.id());
          } else if (!inDatabase.contains(row.id())) {
            originals.missing(row);
          }
        });
  }

  private OriginalFiles.Listing list() {
    try {
      OriginalFiles.Listing listing = files.list();
      for (String sha256 : listing.unfinished()) {
        files.finishUpload(sha256);
      }
      for (String sha256 : List.copyOf(listing.deletions())) {
        if (files.isStored(sha256)) {
          files.removeDeletionMark(sha256);
          listing.deletions().remove(sha256);
        } else {
          files.finishDeletion(sha256);
        }
      }
      return listing;
    } catch (IOException failed) {
      throw StoreErrors.notRead(failed, "original files");
    }
  }

  /** The rows by SHA-256. A damaged row is left out, and so made again. */
  private Map<String, StoredSnapshot> intactRows() {
    Map<String, StoredSnapshot> intact = new HashMap<>();
    List<String> unsealed = new ArrayList<>();
    List<SnapshotRow> all = index.all();
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
