package dev.vramscope.web.snapshot;

import dev.vramscope.analysis.SnapshotHistory;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.intake.SnapshotStored;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.SnapshotPendingException;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Requesters;
import dev.vramscope.whatif.replays.KnownReplays;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.SharedResults;
import dev.vramscope.work.WorkBusyException;
import dev.vramscope.work.WorkCancelledException;
import dev.vramscope.work.WorkKind;
import java.lang.ref.SoftReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Least-recently-used cache of decoded snapshots and their analyses, bounded by estimated heap
 * bytes. An evicted snapshot, and one just uploaded, stays softly reachable and needs no decoding
 * until the garbage collector clears it. Concurrent requests for the same snapshot share one
 * decoding. Thread-safe.
 */
public final class SnapshotCache {
  /** The size of a file that is not stored. */
  static final long NOT_STORED = -1;

  /** A smaller file is decoded and analysed in milliseconds. */
  private static final long SMALL_BYTES = 2 << 20;

  private final Function<String, SnapshotInspection> loader;
  private final ToLongFunction<String> storedBytes;
  private final BiFunction<String, SnapshotHistory, SnapshotInspection> inspected;
  private final HeavyWork work;
  private final long maxHeapBytes;
  private final Object lock = new Object();

  // All guarded by the lock; decoding runs outside it.
  private final LinkedHashMap<String, SnapshotInspection> cached =
      new LinkedHashMap<>(16, 0.75f, true);
  private final Map<String, SoftReference<SnapshotInspection>> evicted = new HashMap<>();
  private final Map<String, CompletableFuture<SnapshotInspection>> loading = new HashMap<>();

  /** When each snapshot of the two maps was used last, in the time of {@link System#nanoTime}. */
  private final Map<String, Long> usedNanos = new HashMap<>();

  private long heapBytes;

  /**
   * @param loader decodes a stored snapshot, or throws
   * @param storedBytes the size of the file with an id, or {@link #NOT_STORED}
   * @param inspected adds the analyses to a decoded snapshot
   * @param work in which snapshots are decoded
   * @param maxHeapBytes limit on the sum of {@link SnapshotInspection#heapBytes()}; a snapshot
   *     larger than the limit is kept alone
   */
  SnapshotCache(
      Function<String, SnapshotInspection> loader,
      ToLongFunction<String> storedBytes,
      BiFunction<String, SnapshotHistory, SnapshotInspection> inspected,
      HeavyWork work,
      long maxHeapBytes) {
    this.loader = loader;
    this.storedBytes = storedBytes;
    this.inspected = inspected;
    this.work = work;
    this.maxHeapBytes = maxHeapBytes;
  }

  /**
   * Loads from a store.
   *
   * @param replays the results of earlier replays of a device of a snapshot
   */
  public static SnapshotCache of(
      SnapshotStore store,
      BiFunction<String, Integer, KnownReplays> replays,
      HeavyWork work,
      long maxHeapBytes) {
    BiFunction<String, SnapshotHistory, SnapshotInspection> inspected =
        (id, history) ->
            SnapshotInspection.of(
                history, () -> store.evidence(id), device -> replays.apply(id, device));
    return new SnapshotCache(
        id ->
            store
                .load(id)
                .map(snapshot -> withoutLogs(id, snapshot))
                .map(snapshot -> inspected.apply(id, SnapshotHistory.of(snapshot)))
                .orElseThrow(() -> RefusedRequestException.noSnapshot(id)),
        id -> store.get(id).map(StoredSnapshot::originalBytes).orElse(NOT_STORED),
        inspected,
        work,
        maxHeapBytes);
  }

  /** Pages and answers of snapshots are not those of a log. */
  private static Snapshot withoutLogs(String id, Snapshot snapshot) {
    if (snapshot.origin().isLog()) {
      throw RefusedRequestException.isLog(id);
    }
    if (snapshot.origin().isCompiled()) {
      throw RefusedRequestException.isCompiled(id);
    }
    return snapshot;
  }

  /** Keeps an upload, which its sender opens next, while nothing else needs the memory. */
  @EventListener
  @Order(Ordered.HIGHEST_PRECEDENCE)
  void keep(SnapshotStored stored) {
    SnapshotInspection uploaded = inspected.apply(stored.id(), stored.history());
    synchronized (lock) {
      evicted.put(stored.id(), new SoftReference<>(uploaded));
      evicted.values().removeIf(reference -> reference.get() == null);
      usedNanos.put(stored.id(), System.nanoTime());
    }
    // It may have been deleted before it was kept; a later deletion evicts it.
    if (storedBytes.applyAsLong(stored.id()) == NOT_STORED) {
      evict(stored.id());
    }
  }

  /** The snapshot with this id, if it needs no decoding. */
  public Optional<SnapshotInspection> loaded(String id) {
    synchronized (lock) {
      return Optional.ofNullable(find(id));
    }
  }

  /**
   * The snapshot with this id, if it needs no decoding or only that of a small file, for work that
   * nobody waits for: what is kept in the cache, and for how long, does not change.
   */
  Optional<SnapshotInspection> inBackground(String id) {
    synchronized (lock) {
      SnapshotInspection inspection = cached.get(id);
      SoftReference<SnapshotInspection> reference = evicted.get(id);
      if (inspection == null && reference != null) {
        inspection = reference.get();
      }
      if (inspection != null) {
        return Optional.of(inspection);
      }
    }
    return isSmall(id) ? Optional.of(loader.apply(id)) : Optional.empty();
  }

  /** The snapshot with this id, decoded now if it is not cached. */
  public SnapshotInspection get(String id) {
    while (true) {
      CompletableFuture<SnapshotInspection> own = new CompletableFuture<>();
      CompletableFuture<SnapshotInspection> pending;
      synchronized (lock) {
        SnapshotInspection inspection = find(id);
        if (inspection != null) {
          return inspection;
        }
        pending = loading.putIfAbsent(id, own);
      }
      if (pending == null) {
        return decode(id, own);
      }
      try {
        return SharedResults.await(pending);
      } catch (WorkCancelledException | WorkBusyException ofAnother) {
        // The client that it was decoded for has left, or had no place; this one still waits.
        HeavyWork.checkpoint();
      }
    }
  }

  /**
   * Whether decoding and analysing a snapshot takes next to no time; also true if no such snapshot
   * is stored.
   */
  public boolean isSmall(String id) {
    try {
      return storedBytes.applyAsLong(id) < SMALL_BYTES;
    } catch (StoreUnavailableException | SnapshotPendingException failed) {
      return true; // Loading it fails with the same.
    }
  }

  /**
   * Forgets the snapshots that nobody has used for a time, so that the garbage collector can give
   * their memory back: by itself it clears soft references only when a heap is full, or after hours
   * in a large one.
   */
  void forgetUnused(Duration cachedFor, Duration evictedFor) {
    long now = System.nanoTime();
    synchronized (lock) {
      evicted.keySet().removeIf(id -> isUnused(id, now, evictedFor));
      for (Iterator<Map.Entry<String, SnapshotInspection>> each = cached.entrySet().iterator();
          each.hasNext(); ) {
        Map.Entry<String, SnapshotInspection> entry = each.next();
        if (isUnused(entry.getKey(), now, cachedFor)) {
          heapBytes -= entry.getValue().heapBytes();
          each.remove();
        }
      }
      usedNanos.keySet().removeIf(id -> !cached.containsKey(id) && !evicted.containsKey(id));
    }
  }

  private boolean isUnused(String id, long now, Duration time) {
    return now - usedNanos.getOrDefault(id, now) >= time.toNanos();
  }

  /** Removes a deleted snapshot, including one whose decoding is still running. */
  public void evict(String id) {
    synchronized (lock) {
      SnapshotInspection removed = cached.remove(id);
      if (removed != null) {
        heapBytes -= removed.heapBytes();
      }
      evicted.remove(id);
      loading.remove(id);
    }
  }

  int size() {
    synchronized (lock) {
      return cached.size();
    }
  }

  private @Nullable SnapshotInspection find(String id) {
    SnapshotInspection inspection = cached.get(id);
    if (inspection != null) {
      usedNanos.put(id, System.nanoTime());
      return inspection;
    }
    SoftReference<SnapshotInspection> reference = evicted.remove(id);
    SnapshotInspection revived = reference == null ? null : reference.get();
    if (revived != null) {
      admit(id, revived);
    }
    return revived;
  }

  private SnapshotInspection decode(String id, CompletableFuture<SnapshotInspection> own) {
    try {
      SnapshotInspection decoded =
          isSmall(id)
              ? load(id)
              : work.run(WorkKind.ANALYSIS, Requesters.current(), () -> load(id));
      synchronized (lock) {
        if (loading.remove(id, own)) { // Not deleted while decoding.
          admit(id, decoded);
        }
      }
      own.complete(decoded);
      return decoded;
    } catch (RuntimeException | Error failure) {
      synchronized (lock) {
        loading.remove(id, own);
      }
      own.completeExceptionally(failure);
      throw failure;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private SnapshotInspection load(String id) {
    try {
      return loader.apply(id);
    } catch (OutOfMemoryError full) {
      dropAll();
      return loader.apply(id);
    }
  }

  // The cached snapshots may hold what the next one needs.
  private void dropAll() {
    synchronized (lock) {
      cached.clear();
      evicted.clear();
      heapBytes = 0;
    }
  }

  private void admit(String id, SnapshotInspection snapshot) {
    cached.put(id, snapshot);
    usedNanos.put(id, System.nanoTime());
    heapBytes += snapshot.heapBytes();
    Iterator<Map.Entry<String, SnapshotInspection>> oldestFirst = cached.entrySet().iterator();
    while (heapBytes > maxHeapBytes && cached.size() > 1) {
      Map.Entry<String, SnapshotInspection> oldest = oldestFirst.next();
      oldestFirst.remove();
      heapBytes -= oldest.getValue().heapBytes();
      evicted.put(oldest.getKey(), new SoftReference<>(oldest.getValue()));
    }
    evicted.values().removeIf(reference -> reference.get() == null);
  }
}
