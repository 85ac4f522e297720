package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.Invariants;
import java.util.Arrays;

/**
 * Chunks sorted by size, then address, in a sequence of short sorted arrays.
 *
 * <pre>
 *   runs   [ run 0 ][ run 1 ] ... each run is sorted, and precedes the next one entirely
 *   run    keys   bytes, address | bytes, address | ...    two longs per entry
 *          slots  slot           | slot           | ...
 * </pre>
 *
 * A search bisects the runs, then one run; a change moves at most one run's entries. Empty runs are
 * kept for reuse, so that a list of stable size does not allocate.
 */
final class SortedRuns {
  /** Limits the keys that one change moves to a kilobyte. */
  private static final int RUN_LENGTH = 64;

  /** A shorter run is joined with a neighbour, if their total is at most {@link #JOINED}. */
  private static final int SHORT = RUN_LENGTH / 4;

  private static final int JOINED = RUN_LENGTH / 2;

  private static final int BINARY_SEARCH_FROM = 8;

  private static final class Run {
    final long[] keys = new long[2 * RUN_LENGTH];
    final int[] slots = new int[RUN_LENGTH];
    int count;
  }

  private final ChunkTable chunks;

  private Run[] runs = {new Run()};
  private int runCount = 1;

  SortedRuns(ChunkTable chunks) {
    this.chunks = chunks;
  }

  void insert(int slot) {
    long bytes = chunks.bytes(slot);
    long address = chunks.address(slot);
    int number = runOf(bytes, address);
    Run run = runs[number];
    if (run.count == RUN_LENGTH) {
      splitRun(number);
      if (isBefore(run, run.count - 1, bytes, address)) {
        run = runs[number + 1];
      }
    }
    int at = positionIn(run, bytes, address);
    int moved = run.count - at;
    if (moved > 0) {
      System.arraycopy(run.keys, 2 * at, run.keys, 2 * at + 2, 2 * moved);
      System.arraycopy(run.slots, at, run.slots, at + 1, moved);
    }
    run.keys[2 * at] = bytes;
    run.keys[2 * at + 1] = address;
    run.slots[at] = slot;
    run.count++;
  }

  void remove(int slot) {
    long bytes = chunks.bytes(slot);
    long address = chunks.address(slot);
    int number = runOf(bytes, address);
    Run run = runs[number];
    int at = positionIn(run, bytes, address);
    if (at == run.count || run.slots[at] != slot) {
      throw new IllegalStateException(
          "The chunk at 0x" + Long.toHexString(address) + " is not in its bin.");
    }
    removeAt(number, at);
  }

  /** Removes the first chunk. The list must not be empty. */
  int removeFirst() {
    int slot = runs[0].slots[0];
    removeAt(0, 0);
    return slot;
  }

  /**
   * Removes the first chunk of at least this size that suits the request.
   *
   * @return the chunk's slot, or {@link ChunkTable#NONE}
   */
  int take(long bytes, long alignment, AllocationAttributes attributes) {
    int number = runOf(bytes, Long.MIN_VALUE);
    int at = positionIn(runs[number], bytes, Long.MIN_VALUE);
    for (; number < runCount; number++) {
      Run run = runs[number];
      for (; at < run.count; at++) {
        int slot = run.slots[at];
        if (Splitting.suits(chunks, slot, bytes, alignment, attributes)) {
          removeAt(number, at);
          return slot;
        }
      }
      at = 0;
    }
    return ChunkTable.NONE;
  }

  /** The last chunk with this tag, or {@link ChunkTable#NONE}. */
  int last(int tag) {
    for (int number = runCount - 1; number >= 0; number--) {
      for (int at = runs[number].count - 1; at >= 0; at--) {
        if (chunks.tag(runs[number].slots[at]) == tag) {
          return runs[number].slots[at];
        }
      }
    }
    return ChunkTable.NONE;
  }

  /** The last chunk, or {@link ChunkTable#NONE}. */
  int last() {
    Run run = runs[runCount - 1];
    return run.count == 0 ? ChunkTable.NONE : run.slots[run.count - 1];
  }

  /** All chunks, in order. */
  int[] slots() {
    int count = 0;
    for (int number = 0; number < runCount; number++) {
      count += runs[number].count;
    }
    int[] slots = new int[count];
    int at = 0;
    for (int number = 0; number < runCount; number++) {
      System.arraycopy(runs[number].slots, 0, slots, at, runs[number].count);
      at += runs[number].count;
    }
    return slots;
  }

  /** The first run whose last entry is not before the key; the last run if there is none. */
  private int runOf(long bytes, long address) {
    return runCount == 1 ? 0 : searchRuns(bytes, address);
  }

  private int searchRuns(long bytes, long address) {
    int low = 0;
    int high = runCount - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(runs[middle], runs[middle].count - 1, bytes, address)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The number of entries of the run before the key. */
  private static int positionIn(Run run, long bytes, long address) {
    int low = 0;
    int high = run.count;
    while (high - low > BINARY_SEARCH_FROM) {
      int middle = (low + high) >>> 1;
      if (isBefore(run, middle, bytes, address)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    while (low < high && isBefore(run, low, bytes, address)) {
      low++;
    }
    return low;
  }

  private static boolean isBefore(Run run, int at, long bytes, long address) {
    long entry = run.keys[2 * at];
    return entry < bytes || (entry == bytes && run.keys[2 * at + 1] < address);
  }

  private void removeAt(int number, int at) {
    Run run = runs[number];
    int moved = --run.count - at;
    if (moved > 0) {
      System.arraycopy(run.keys, 2 * at + 2, run.keys, 2 * at, 2 * moved);
      System.arraycopy(run.slots, at + 1, run.slots, at, moved);
    }
    if (run.count < SHORT && runCount > 1) {
      joinAround(number);
    }
  }

  /** Moves the upper half of a full run into a new run after it. */
  private void splitRun(int number) {
    if (runCount == runs.length) {
      runs = Arrays.copyOf(runs, 2 * runs.length);
    }
    Run run = runs[number];
    Run following = runs[runCount] == null ? new Run() : runs[runCount];
    System.arraycopy(runs, number + 1, runs, number + 2, runCount - number - 1);
    runs[number + 1] = following;
    runCount++;
    int half = RUN_LENGTH / 2;
    System.arraycopy(run.keys, 2 * half, following.keys, 0, 2 * half);
    System.arraycopy(run.slots, half, following.slots, 0, half);
    following.count = half;
    run.count = half;
  }

  private void joinAround(int number) {
    if (number + 1 < runCount && canJoin(number)) {
      join(number);
    } else if (number > 0 && canJoin(number - 1)) {
      join(number - 1);
    }
  }

  /** An empty run is always joined: only the run of an empty list may be empty. */
  private boolean canJoin(int number) {
    int count = runs[number].count;
    int following = runs[number + 1].count;
    return count == 0 || following == 0 || count + following <= JOINED;
  }

  /** Appends the entries of the following run, and keeps that run for reuse. */
  private void join(int number) {
    Run run = runs[number];
    Run following = runs[number + 1];
    System.arraycopy(following.keys, 0, run.keys, 2 * run.count, 2 * following.count);
    System.arraycopy(following.slots, 0, run.slots, run.count, following.count);
    run.count += following.count;
    following.count = 0;
    System.arraycopy(runs, number + 2, runs, number + 1, runCount - number - 2);
    runs[--runCount] = following;
  }

  /** Keys match the chunks, entries are in order, and only the run of an empty list is empty. */
  void checkInvariants() {
    long lastBytes = -1;
    long lastAddress = -1;
    for (int number = 0; number < runCount; number++) {
      Run run = runs[number];
      Invariants.require(run.count > 0 || runCount == 1, "no empty run", number);
      for (int at = 0; at < run.count; at++) {
        int slot = run.slots[at];
        long bytes = run.keys[2 * at];
        long address = run.keys[2 * at + 1];
        Invariants.require(bytes == chunks.bytes(slot), "size key in a bin", slot);
        Invariants.require(address == chunks.address(slot), "address key in a bin", slot);
        Invariants.require(
            bytes > lastBytes || (bytes == lastBytes && address > lastAddress), "bin order", slot);
        lastBytes = bytes;
        lastAddress = address;
      }
    }
  }
}
