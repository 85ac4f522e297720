package dev.vramscope.web;

import dev.vramscope.analysis.FrameRules;
import dev.vramscope.store.SnapshotStore;
import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots that are open: decoded, with their analyses. Bounded by heap bytes; the one that
 * was looked at longest ago is closed first, and may come back without decoding while the collector
 * has not taken it. A snapshot is decoded once, however many ask for it at the same time.
 */
final class OpenSnapshots {
  private final Function<String, OpenSnapshot> opener;
  private final long maxHeapBytes;
  private final Object lock = new Object();

  // All guarded by the lock; decoding happens outside it.
  private final LinkedHashMap<String, OpenSnapshot> open = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<String, SoftReference<OpenSnapshot>> closed = new HashMap<>();
  private final Map<String, CompletableFuture<OpenSnapshot>> opening = new HashMap<>();
  private long heapBytes;

  /**
   * @param opener decodes a stored snapshot, or throws
   * @param maxHeapBytes what all open snapshots may take together; one larger than that stays open
   *     alone
   */
  OpenSnapshots(Function<String, OpenSnapshot> opener, long maxHeapBytes) {
    this.opener = opener;
    this.maxHeapBytes = maxHeapBytes;
  }

  /** The snapshots of a store. */
  static OpenSnapshots of(SnapshotStore store, long maxHeapBytes) {
    FrameRules rules = FrameRules.standard();
    return new OpenSnapshots(
        id ->
            store
                .load(id)
                .map(snapshot -> new OpenSnapshot(id, snapshot, rules))
                .orElseThrow(() -> RefusedRequestException.noSnapshot(id)),
        maxHeapBytes);
  }

  /** The snapshot, decoded now if it is not open. */
  OpenSnapshot open(String id) {
    CompletableFuture<OpenSnapshot> mine = new CompletableFuture<>();
    CompletableFuture<OpenSnapshot> others;
    synchronized (lock) {
      OpenSnapshot found = find(id);
      if (found != null) {
        return found;
      }
      others = opening.putIfAbsent(id, mine);
    }
    return others == null ? decode(id, mine) : join(others);
  }

  /** Closes a snapshot that was deleted. */
  void forget(String id) {
    synchronized (lock) {
      OpenSnapshot gone = open.remove(id);
      if (gone != null) {
        heapBytes -= gone.heapBytes();
      }
      closed.remove(id);
      opening.remove(id);
    }
  }

  int openCount() {
    synchronized (lock) {
      return open.size();
    }
  }

  private @Nullable OpenSnapshot find(String id) {
    OpenSnapshot found = open.get(id);
    if (found != null) {
      return found;
    }
    SoftReference<OpenSnapshot> reference = closed.remove(id);
    OpenSnapshot again = reference == null ? null : reference.get();
    if (again != null) {
      admit(again);
    }
    return again;
  }

  private OpenSnapshot decode(String id, CompletableFuture<OpenSnapshot> mine) {
    try {
      OpenSnapshot decoded = opener.apply(id);
      synchronized (lock) {
        if (opening.remove(id, mine)) { // Not deleted meanwhile.
          admit(decoded);
        }
      }
      mine.complete(decoded);
      return decoded;
    } catch (RuntimeException | Error failure) {
      synchronized (lock) {
        opening.remove(id, mine);
      }
      mine.completeExceptionally(failure);
      throw failure;
    }
  }

  private void admit(OpenSnapshot snapshot) {
    open.put(snapshot.id(), snapshot);
    heapBytes += snapshot.heapBytes();
    Iterator<OpenSnapshot> oldestFirst = open.values().iterator();
    while (heapBytes > maxHeapBytes && open.size() > 1) {
      OpenSnapshot oldest = oldestFirst.next();
      oldestFirst.remove();
      heapBytes -= oldest.heapBytes();
      closed.put(oldest.id(), new SoftReference<>(oldest));
    }
    closed.values().removeIf(reference -> reference.get() == null);
  }

  private static OpenSnapshot join(CompletableFuture<OpenSnapshot> others) {
    try {
      return others.join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw failure;
    }
  }
}
