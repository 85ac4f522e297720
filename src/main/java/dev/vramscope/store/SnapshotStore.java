package dev.vramscope.store;

import dev.vramscope.evidence.AttachedText;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.codec.Crc32c;
import dev.vramscope.store.codec.UnreadableBlobException;
import dev.vramscope.store.files.DataFolder;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.files.OriginalFiles;
import dev.vramscope.store.files.Sidecar;
import dev.vramscope.store.files.StoreErrors;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.FailureAnswer;
import dev.vramscope.store.listing.JobTotals;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.store.listing.Upload;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The stored snapshots. Thread-safe. Every method throws {@link StoreUnavailableException} if the
 * disk or the database fails, {@link SnapshotPendingException} for a snapshot whose rows are being
 * rebuilt, and {@link DamagedSnapshotException} if the requested part of a snapshot is damaged.
 */
@Component
public final class SnapshotStore {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotStore.class);

  private final DataFolder folder;
  private final Originals originals;
  private final SnapshotIndex index;
  private final StoreState state;
  private final SnapshotLocks locks;
  private final SnapshotRepair repair;

  SnapshotStore(
      DataFolder folder,
      Originals originals,
      SnapshotIndex index,
      StoreState state,
      SnapshotLocks locks,
      SnapshotRepair repair) {
    this.folder = folder;
    this.originals = originals;
    this.index = index;
    this.state = state;
    this.locks = locks;
    this.repair = repair;
  }

  /**
   * Stores a snapshot and its original file. Both are on the disk when this returns. If the file is
   * stored already, nothing is changed, except that missing or damaged parts are repaired.
   */
  public SaveResult save(Snapshot snapshot, Upload upload) {
    try (var _ = locks.lock(upload.sha256())) {
      Optional<StoredSnapshot> existing = intact(upload.sha256());
      if (existing.isPresent()) {
        return new SaveResult(existing.get(), /* existed= */ true);
      }
      try (var _ = folder.space().reserve(Files.size(upload.compressed()))) {
        return saveLocked(snapshot, upload);
      }
    } catch (IOException failed) {
      throw StoreErrors.notRead(failed, OriginalFiles.WHERE);
    }
  }

  /**
   * The snapshot whose original file has this hash. Empty if it is not stored, or if a part of it
   * is missing or damaged, which saving it repairs.
   */
  public Optional<StoredSnapshot> findByHash(String sha256) {
    try (var _ = locks.lock(sha256)) {
      return intact(sha256);
    }
  }

  /**
   * Replaces the name and the tags of a snapshot. They are on the disk when this returns.
   *
   * @return the changed metadata; empty if the snapshot does not exist
   */
  public Optional<StoredSnapshot> update(String id, String name, Tags tags) {
    Optional<StoredSnapshot> stored = get(id);
    if (stored.isEmpty()) {
      return stored;
    }
    try (var _ = locks.lock(stored.get().sha256())) {
      return get(id).map(current -> updateLocked(current, name, tags));
    }
  }

  /** The metadata of a stored snapshot. */
  public Optional<StoredSnapshot> get(String id) {
    if (state.isDeleted(id)) {
      return Optional.empty();
    }
    Optional<StoredSnapshot> stored = index.byId(id);
    return stored.isPresent() ? stored : withoutRow(id);
  }

  /** The snapshots that match a filter, newest first. */
  public List<StoredSnapshot> find(SnapshotFilter filter) {
    return index.find(filter, state.deleted());
  }

  /** The totals of the given jobs, over all snapshots that match a filter. */
  public Map<String, JobTotals> jobTotals(SnapshotFilter filter, List<String> jobs) {
    return index.jobTotals(filter, jobs, state.deleted());
  }

  /** The number of snapshots that match a filter, ignoring its limit and offset. */
  public long count(SnapshotFilter filter) {
    return index.count(filter, state.deleted());
  }

  /**
   * Results of replays that a version of the engine has computed, by what was replayed. They are
   * lost when the rows of the snapshot are rebuilt.
   */
  public Map<String, String> replays(String id, int engine) {
    return state.isDeleted(id) ? Map.of() : index.replays(id, engine);
  }

  /** Stores the result of a replay in place of that of another version of the engine. */
  public void putReplay(String id, int engine, String request, String result) {
    if (!state.isDeleted(id)) {
      index.putReplay(id, engine, request, result);
    }
  }

  /** Stores what lists say about the first failure of a snapshot. */
  public void setAnswer(String id, FailureAnswer answer) {
    Optional<StoredSnapshot> stored = get(id);
    if (stored.isEmpty() || answer.equals(stored.get().answer())) {
      return;
    }
    try (var _ = locks.lock(stored.get().sha256())) {
      if (!state.isDeleted(id)) {
        index.setAnswer(id, answer);
      }
    }
  }

  /** The texts that users attached to a snapshot, by their number. */
  public List<AttachedText> evidence(String id) {
    Optional<StoredSnapshot> stored = get(id);
    return stored.isEmpty()
        ? List.of()
        : index.evidence(id).orElseGet(() -> originals.sidecar(stored.get().sha256()).evidence());
  }

  /**
   * Changes the texts that are attached to a snapshot. They are on the disk when this returns.
   *
   * @param change returns the texts in place of the given ones
   * @return the changed texts; empty if the snapshot does not exist
   */
  public Optional<List<AttachedText>> changeEvidence(
      String id, UnaryOperator<List<AttachedText>> change) {
    Optional<StoredSnapshot> stored = get(id);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    try (var _ = locks.lock(stored.get().sha256())) {
      return get(id).map(current -> changeEvidenceLocked(current, change));
    }
  }

  /**
   * The complete model of a snapshot; empty if it does not exist or was deleted. Damaged columns
   * are rebuilt from the original.
   */
  public Optional<Snapshot> load(String id) {
    Optional<StoredSnapshot> stored = get(id);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(index.load(id));
    } catch (UnreadableBlobException damaged) {
      if (get(id).isEmpty()) {
        return Optional.empty(); // Deleted while it was being read.
      }
      LOG.warn("The columns of {} are rebuilt from the original", id, damaged);
      return repair.rebuild(id, stored.get().sha256());
    }
  }

  /**
   * The original file. It was verified before this returns, and it can be read to its end even if
   * the snapshot is deleted in the meantime.
   */
  public Optional<OriginalFile> original(String id) {
    if (state.isDeleted(id)) {
      return Optional.empty();
    }
    Optional<String> sha256 = originals.find(id).or(() -> get(id).map(StoredSnapshot::sha256));
    return sha256.isEmpty() ? Optional.empty() : original(id, sha256.get());
  }

  /**
   * Deletes a snapshot and all its data, also on a full disk; returns false if it does not exist.
   * The deletion is on the disk when this returns.
   */
  public boolean delete(String id) {
    if (state.isDeleted(id)) {
      return false;
    }
    Optional<String> sha256 =
        originals.find(id).or(() -> index.byId(id).map(StoredSnapshot::sha256));
    if (sha256.isEmpty()) {
      return false;
    }
    try (var _ = locks.lock(sha256.get())) {
      boolean exists = originals.find(id).isPresent() || index.byId(id).isPresent();
      if (exists && !state.isDeleted(id)) {
        originals.delete(sha256.get());
        state.deleted(id);
        repair.removeRows(id);
        return true;
      }
      return false;
    }
  }

  private Optional<OriginalFile> original(String id, String sha256) {
    try (var _ = locks.lock(sha256)) { // It may have been deleted in the meantime.
      return originals.find(id).isPresent()
          ? Optional.of(originals.open(id, sha256))
          : get(id).map(originals::openFromDatabase);
    }
  }

  private SaveResult saveLocked(Snapshot snapshot, Upload upload) throws IOException {
    String sha256 = upload.sha256();
    boolean existed = originals.isStored(sha256);
    Optional<Sidecar> intact = existed ? originals.intactSidecar(sha256) : Optional.empty();
    Sidecar sidecar =
        intact
            .or(
                () ->
                    index
                        .bySha256(sha256)
                        .filter(row -> !state.isDeleted(row.id()))
                        .map(row -> Sidecar.of(row, index.evidence(row.id()).orElse(List.of()))))
            .orElseGet(
                () ->
                    Sidecar.of(
                        existed ? originals.idOf(sha256) : originals.unusedId(sha256),
                        upload,
                        snapshot))
            .withFile(Files.size(upload.compressed()), Crc32c.of(upload.compressed()));
    try {
      StoredSnapshot saved =
          index.put(
              sidecar.row(snapshot, upload.peakBytes(), upload.findingCount()),
              snapshot,
              sidecar.evidence(),
              () -> originals.store(sidecar, upload.compressed()));
      state.written(saved.id());
      return new SaveResult(saved, existed);
    } catch (StoreUnavailableException failed) {
      if (!existed) {
        originals.retract(sha256);
      }
      throw failed;
    }
  }

  private Optional<StoredSnapshot> intact(String sha256) {
    return index
        .bySha256(sha256)
        .filter(stored -> !state.isDeleted(stored.id()) && originals.isIntact(sha256));
  }

  private StoredSnapshot updateLocked(StoredSnapshot stored, String name, Tags tags) {
    StoredSnapshot updated = stored.withMetadata(name, tags);
    if (!updated.equals(stored)) {
      folder.space().require(0);
      Sidecar sidecar = originals.sidecar(stored.sha256()).with(name, tags);
      writeDescription(
          stored, sidecar, () -> index.update(updated, () -> originals.update(sidecar)));
      state.named(updated);
    }
    return updated;
  }

  /** Writes a sidecar and the rows that have the same content. */
  private void writeDescription(StoredSnapshot stored, Sidecar sidecar, Runnable write) {
    try {
      write.run();
    } catch (StoreUnavailableException failed) {
      if (originals.intactSidecar(stored.sha256()).filter(sidecar::equals).isPresent()) {
        state.missing(stored.id(), stored.sha256()); // Its row does not match the sidecar.
      }
      throw failed;
    }
  }

  private List<AttachedText> changeEvidenceLocked(
      StoredSnapshot stored, UnaryOperator<List<AttachedText>> change) {
    List<AttachedText> texts = List.copyOf(change.apply(evidence(stored.id())));
    folder.space().require(0);
    Sidecar sidecar = originals.sidecar(stored.sha256()).withEvidence(texts);
    writeDescription(
        stored,
        sidecar,
        () -> index.setEvidence(stored.id(), texts, () -> originals.update(sidecar)));
    return texts;
  }

  /**
   * Distinguishes a snapshot that does not exist from one without rows.
   *
   * @throws SnapshotPendingException if its rows are being made
   * @throws DamagedSnapshotException if they cannot be made
   */
  private Optional<StoredSnapshot> withoutRow(String id) {
    Optional<Damage> damage = state.damage(id);
    if (damage.isPresent()) {
      throw new DamagedSnapshotException(id, damage.get().what());
    }
    if (!state.isMissing(id)) {
      Optional<String> sha256 = originals.find(id);
      if (sha256.isEmpty()) {
        return Optional.empty();
      }
      try (var _ = locks.lock(sha256.get())) { // A concurrent upload commits its rows.
        Optional<StoredSnapshot> stored = index.byId(id);
        if (stored.isPresent() || originals.find(id).isEmpty()) {
          return stored;
        }
        state.missing(id, sha256.get());
      }
    }
    throw new SnapshotPendingException(id);
  }
}
