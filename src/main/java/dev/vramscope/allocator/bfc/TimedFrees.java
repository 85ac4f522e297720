package dev.vramscope.allocator.bfc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chunks freed under a timing counter. They lie in their bins at once, but stay alone until the
 * safe frontier has passed their count, or until a request finds no other place.
 */
final class TimedFrees {
  private final ChunkTable chunks;
  private final FreeChunks free;
  private final Coalescing coalescing;
  private final Deque<Integer> waiting = new ArrayDeque<>();
  private @Nullable TimingCounter counter;
  private long safeFrontier;

  TimedFrees(ChunkTable chunks, FreeChunks free, Coalescing coalescing) {
    this.chunks = chunks;
    this.free = free;
    this.coalescing = coalescing;
  }

  void useCounter(TimingCounter shared) {
    counter = shared;
  }

  boolean hasCounter() {
    return counter != null;
  }

  /** Frees with a smaller count are safe. The frontier never goes back. */
  void raiseSafeFrontier(long count) {
    safeFrontier = Math.max(safeFrontier, count);
  }

  /** The count for a free that happens now; 0 without a counter. */
  long count() {
    return counter == null ? 0 : counter.next();
  }

  /** A chunk was freed that has a count; it is in a bin. */
  void add(int slot) {
    waiting.add(slot);
  }

  /** Merges the chunks whose time has come. */
  void mergeDue() {
    if (counter == null || waiting.isEmpty()) {
      return;
    }
    List<Integer> due = new ArrayList<>();
    for (int i = waiting.size(); i > 0; i--) {
      int slot = waiting.remove();
      if (isStillWaiting(slot)) {
        if (chunks.freedAt(slot) == 0 || chunks.freedAt(slot) < safeFrontier) {
          chunks.setFreedAt(slot, 0);
          due.add(slot);
        } else {
          waiting.add(slot);
        }
      }
    }
    for (int slot : due) {
      if (!chunks.isDead(slot)) {
        free.remove(slot);
        coalescing.returnToGap(slot);
        coalescing.coalesce(slot);
      }
    }
  }

  /**
   * Merges chunks whose time has not come, one by one, until a chunk has so many bytes.
   *
   * @return whether one has
   */
  boolean mergeFor(long bytes) {
    if (waiting.isEmpty()) {
      return false;
    }
    List<Integer> candidates = new ArrayList<>();
    for (int slot : waiting) {
      if (isStillWaiting(slot)) {
        if (chunks.freedAt(slot) < safeFrontier) {
          chunks.setFreedAt(slot, 0);
        }
        candidates.add(slot);
      }
    }
    waiting.clear();
    boolean satisfied = false;
    for (int slot : candidates) {
      if (chunks.isDead(slot)) {
        continue;
      }
      if (satisfied) {
        waiting.add(slot);
        continue;
      }
      free.remove(slot);
      coalescing.returnToGap(slot);
      int merged = coalescing.coalesceAtAnyTime(slot);
      if (merged != slot && chunks.freedAt(merged) > 0) {
        waiting.add(merged);
      }
      satisfied = chunks.bytes(merged) >= bytes;
    }
    return satisfied;
  }

  /** It may have been allocated again, or merged. */
  private boolean isStillWaiting(int slot) {
    return chunks.isBinned(slot);
  }
}
