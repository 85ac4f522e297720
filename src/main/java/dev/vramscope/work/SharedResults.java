package dev.vramscope.work;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Results of long work that gives way to others. Each is computed by the first who wants it; others
 * who want it meanwhile wait without a turn. The latest are kept. Thread-safe.
 */
public final class SharedResults<K, V> {
  private final int maxKept;

  /** Oldest first. Guarded by this. */
  private final Map<K, CompletableFuture<V>> results = new LinkedHashMap<>();

  /**
   * @param maxKept results that are kept, besides those that are being computed
   */
  public SharedResults(int maxKept) {
    this.maxKept = maxKept;
  }

  /** The result, if it has been computed. */
  public Optional<V> known(K key) {
    CompletableFuture<V> result;
    synchronized (this) {
      result = results.get(key);
    }
    return result == null || !result.isDone() ? Optional.empty() : Optional.of(result.join());
  }

  /**
   * The result, computed now if nobody has.
   *
   * @throws WorkCancelledException if nobody waits for the caller's task any more
   */
  public V get(K key, Function<K, V> computation) {
    while (true) {
      CompletableFuture<V> own = new CompletableFuture<>();
      CompletableFuture<V> others;
      synchronized (this) {
        others = results.putIfAbsent(key, own);
      }
      if (others == null) {
        return compute(key, computation, own);
      }
      try {
        return await(others);
      } catch (WorkCancelledException | CancellationException _) {
        // The client for whom it was computed has left; this one still waits.
        HeavyWork.checkpoint();
      }
    }
  }

  private V compute(K key, Function<K, V> computation, CompletableFuture<V> own) {
    @Nullable V value = null;
    try {
      value = computation.apply(key);
      own.complete(value);
      return value;
    } catch (RuntimeException | Error failure) {
      own.completeExceptionally(failure);
      throw failure;
    } finally {
      ended(key, value != null);
    }
  }

  private synchronized void ended(K key, boolean isComputed) {
    if (!isComputed) {
      results.remove(key);
    }
    Iterator<CompletableFuture<V>> oldestFirst = results.values().iterator();
    for (int surplus = results.size() - maxKept; surplus > 0 && oldestFirst.hasNext(); ) {
      if (oldestFirst.next().isDone()) {
        oldestFirst.remove();
        surplus--;
      }
    }
  }

  /**
   * Waits for a result that another thread computes, which may need the turn of this one.
   *
   * @throws WorkCancelledException if nobody waits for the caller's task any more
   * @throws RuntimeException what the computation has thrown
   */
  public static <V> V await(CompletableFuture<V> others) {
    try {
      return HeavyWork.withoutTurnForAnother(others::join);
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (failure.getCause() instanceof Error cause) {
        throw cause;
      }
      throw failure;
    } catch (RuntimeException failure) {
      throw failure;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
