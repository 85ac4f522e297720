package dev.vramscope.format;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers in place of addresses, for a file that has none: each allocation gets one of its own, and
 * a free is that of the oldest live allocation of its size. Sums are right, lifetimes are guesses.
 */
public final class UnaddressedBlocks {
  /** No live allocation has the size. */
  public static final long NONE = -1;

  private static final long FIRST_NUMBER = 1L << 40;

  private final Map<Long, Deque<Long>> live = new HashMap<>();
  private long next = FIRST_NUMBER;

  /** The number of a new allocation; those of others are as far apart as if they were addresses. */
  public long allocate(long bytes) {
    long number = unused(bytes);
    live.computeIfAbsent(bytes, _ -> new ArrayDeque<>()).addLast(number);
    return number;
  }

  /** The number of the allocation that is freed, or {@link #NONE}. */
  public long free(long bytes) {
    Deque<Long> same = live.get(bytes);
    return same == null || same.isEmpty() ? NONE : same.removeFirst();
  }

  /** The number of the allocation that is freed; that of no other one if none is live. */
  public long freeOrUnused(long bytes) {
    long number = free(bytes);
    return number == NONE ? unused(bytes) : number;
  }

  private long unused(long bytes) {
    long number = next;
    next += bytes;
    return number;
  }
}
