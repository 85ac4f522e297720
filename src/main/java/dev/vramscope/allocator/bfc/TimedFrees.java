package dev.vramscope.allocator.bfc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chunks freed under a timing counter. They are in their bins immediately, but are not coalesced
 * until the safe frontier has passed their count, or until a request does not fit otherwise.
 */
final class TimedFrees {
  private final ChunkTable chunks;
  private final FreeChunks free;
  private final Coalescing coalescing;
  private final Deque<Integer> pending = new ArrayDeque<>();
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

  /** Marks frees with a smaller count as safe. The frontier never decreases. */
  void raiseSafeFrontier(long count) {
    safeFrontier = Math.max(safeFrontier, count);
  }

  /** The count of the next free; 0 without a counter. */
  long count() {
    return counter == null ? 0 : counter.next();
  }

  /** Adds a freed chunk that has a count and is in a bin. */
  void add(int slot) {
    pending.add(slot);
  }

  /** Merges the chunks whose count the safe frontier has passed. */
  void mergeSafe() {
    if (counter == null || pending.isEmpty()) {
      return;
    }
    List<Integer> safe = new ArrayList<>();
    for (int i = pending.size(); i > 0; i--) {
      int slot = pending.remove();
      if (isStillPending(slot)) {
        if (chunks.freedAt(slot) == 0 || chunks.freedAt(slot) < safeFrontier) {
          chunks.setFreedAt(slot, 0);
          safe.add(slot);
        } else {
          pending.add(slot);
        }
      }
    }
    for (int slot : safe) {
      if (!chunks.isDead(slot)) {
        free.remove(slot);
        coalescing.returnToGap(slot);
        coalescing.coalesce(slot);
      }
    }
  }

  /**
   * Merges pending chunks, one by one, until a chunk has at least this size.
   *
   * @return whether one has
   */
  boolean mergeFor(long bytes) {
    if (pending.isEmpty()) {
      return false;
    }
    List<Integer> candidates = new ArrayList<>();
    for (int slot : pending) {
      if (isStillPending(slot)) {
        if (chunks.freedAt(slot) < safeFrontier) {
          chunks.setFreedAt(slot, 0);
        }
        candidates.add(slot);
      }
    }
    pending.clear();
    boolean satisfied = false;
    for (int slot : candidates) {
      if (chunks.isDead(slot)) {
        continue;
      }
      if (satisfied) {
        pending.add(slot);
        continue;
      }
      free.remove(slot);
      coalescing.returnToGap(slot);
      int merged = coalescing.coalesceIgnoringCounts(slot);
      if (merged != slot && chunks.freedAt(merged) > 0) {
        pending.add(merged);
      }
      satisfied = chunks.bytes(merged) >= bytes;
    }
    return satisfied;
  }

  /** False if the chunk has been allocated again or merged. */
  private boolean isStillPending(int slot) {
    return chunks.isBinned(slot);
  }
}
