package dev.vramscope.store;

import dev.vramscope.store.listing.StoredSnapshot;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.stereotype.Component;

/**
 * What differs between the original files and the database: snapshots whose rows are still to be
 * made, rows whose snapshot was deleted, names that are lost, and damage that was found.
 * Thread-safe.
 */
@Component
final class StoreState {
  private final NavigableMap<String, String> pending = new TreeMap<>();
  private final Map<String, Damage> damages = new TreeMap<>();
  private final Set<String> deleted = new TreeSet<>();
  private final Set<String> recovered = new TreeSet<>();
  private int total;

  /**
   * Rows that are being rebuilt.
   *
   * @param done snapshots whose rows were made
   * @param total snapshots whose rows were missing
   */
  record Progress(int done, int total) {}

  /** The rows of this snapshot are missing. */
  synchronized void missing(String id, String sha256) {
    if (pending.isEmpty()) {
      total = 0;
    }
    if (!damages.containsKey(id) && pending.put(id, sha256) == null) {
      total++;
    }
  }

  /** The first snapshot after an id whose rows are missing: its id and SHA-256. */
  synchronized Optional<Map.Entry<String, String>> nextMissing(String after) {
    return Optional.ofNullable(pending.higherEntry(after));
  }

  synchronized boolean isMissing(String id) {
    return pending.containsKey(id);
  }

  synchronized Progress progress() {
    return new Progress(total - pending.size(), pending.isEmpty() ? 0 : total);
  }

  /** The rows of this snapshot were written, and it is not damaged any more. */
  synchronized void written(String id) {
    pending.remove(id);
    damages.remove(id);
    deleted.remove(id);
  }

  synchronized void damaged(Damage damage) {
    pending.remove(damage.id());
    damages.put(damage.id(), damage);
  }

  synchronized Optional<Damage> damage(String id) {
    return Optional.ofNullable(damages.get(id));
  }

  synchronized int damageCount() {
    return damages.size();
  }

  /** A part of the damages, ordered by id. */
  synchronized List<Damage> damages(int offset, int limit) {
    return damages.values().stream().skip(offset).limit(limit).toList();
  }

  /** The name and tags of this row are those of its snapshot. */
  synchronized void named(StoredSnapshot row) {
    if (row.hasLostName()) {
      recovered.add(row.id());
    } else {
      recovered.remove(row.id());
    }
  }

  /** The snapshots whose name and tags are lost, ordered by id. */
  synchronized List<String> recovered() {
    return List.copyOf(recovered);
  }

  /** This snapshot is deleted; its rows are to be ignored until they are removed. */
  synchronized void deleted(String id) {
    pending.remove(id);
    damages.remove(id);
    recovered.remove(id);
    deleted.add(id);
  }

  /** The rows of a deleted snapshot were removed. */
  synchronized void removed(String id) {
    deleted.remove(id);
  }

  synchronized boolean isDeleted(String id) {
    return deleted.contains(id);
  }

  synchronized Set<String> deleted() {
    return Set.copyOf(deleted);
  }
}
