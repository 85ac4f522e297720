package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.PoolId;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The counters, as sums over one kind of pool. What both kinds have together is added up when it is
 * asked for, but for its peak.
 *
 * <pre>
 *   cells, for each Statistic:
 *       small pools:  current | freed | peak | base
 *       large pools:  current | freed | peak | base
 *       together:     (unused)        | peak | (unused)
 *   then the same for oversize allocations and oversize segments, as if all were small
 * </pre>
 *
 * Base is what was current when sums were last set back; allocated = current - base + freed. So an
 * increase writes one cell, and a decrease two.
 */
final class Statistics {
  private static final int FREED = 1;
  private static final int PEAK = 2;
  private static final int BASE = 3;
  private static final int SMALL = 0;
  private static final int LARGE = 4;
  private static final int TOGETHER = 8;
  private static final int STAT = 4;
  private static final int ARRAY = 3 * STAT;

  private static final int ALLOCATION = Statistic.ALLOCATION.ordinal() * ARRAY;
  private static final int SEGMENT = Statistic.SEGMENT.ordinal() * ARRAY;
  private static final int ACTIVE = Statistic.ACTIVE.ordinal() * ARRAY;
  private static final int INACTIVE_SPLIT = Statistic.INACTIVE_SPLIT.ordinal() * ARRAY;
  private static final int ALLOCATED_BYTES = Statistic.ALLOCATED_BYTES.ordinal() * ARRAY;
  private static final int RESERVED_BYTES = Statistic.RESERVED_BYTES.ordinal() * ARRAY;
  private static final int ACTIVE_BYTES = Statistic.ACTIVE_BYTES.ordinal() * ARRAY;
  private static final int INACTIVE_SPLIT_BYTES = Statistic.INACTIVE_SPLIT_BYTES.ordinal() * ARRAY;
  private static final int REQUESTED_BYTES = Statistic.REQUESTED_BYTES.ordinal() * ARRAY;
  private static final int OVERSIZE_ALLOCATIONS = Statistic.values().length * ARRAY;
  private static final int OVERSIZE_SEGMENTS = OVERSIZE_ALLOCATIONS + ARRAY;

  private final long[] cells = new long[OVERSIZE_SEGMENTS + ARRAY];
  private final Map<PoolId, long[]> reservedByPrivatePool = new LinkedHashMap<>();
  private final long maxSplitBytes;
  private long allocRetries;
  private long outOfMemory;
  private long syncAllStreams;
  private long deviceAllocs;
  private long deviceFrees;
  private long rejections;

  /**
   * All zero.
   *
   * @param maxSplitBytes is shown as it was when the allocator was made
   */
  Statistics(long maxSplitBytes) {
    this.maxSplitBytes = maxSplitBytes;
  }

  // A block ------------------------------------------------------------------------------------

  void blockAllocated(Pool pool, long bytes, long requestedBytes) {
    int kind = kind(pool);
    increase(ALLOCATION, kind, 1);
    increase(ALLOCATED_BYTES, kind, bytes);
    increase(ACTIVE, kind, 1);
    increase(ACTIVE_BYTES, kind, bytes);
    increase(REQUESTED_BYTES, kind, requestedBytes);
  }

  void blockFreed(Pool pool, long bytes) {
    int kind = kind(pool);
    decrease(ALLOCATION, kind, 1);
    decrease(ALLOCATED_BYTES, kind, bytes);
  }

  void blockInactive(Pool pool, long bytes, long requestedBytes) {
    int kind = kind(pool);
    decrease(ACTIVE, kind, 1);
    decrease(ACTIVE_BYTES, kind, bytes);
    decrease(REQUESTED_BYTES, kind, requestedBytes);
  }

  /** Inactive pieces of plain segments came or went: both signs are possible. */
  void inactiveSplits(Pool pool, int count, long bytes) {
    int kind = kind(pool);
    if (count > 0) {
      increase(INACTIVE_SPLIT, kind, count);
    } else if (count < 0) {
      decrease(INACTIVE_SPLIT, kind, -count);
    }
    if (bytes > 0) {
      increase(INACTIVE_SPLIT_BYTES, kind, bytes);
    } else if (bytes < 0) {
      decrease(INACTIVE_SPLIT_BYTES, kind, -bytes);
    }
  }

  void oversizeAllocated() {
    increase(OVERSIZE_ALLOCATIONS, SMALL, 1);
  }

  void oversizeFreed() {
    decrease(OVERSIZE_ALLOCATIONS, SMALL, 1);
  }

  // A segment ----------------------------------------------------------------------------------

  void segmentAcquired(Pool pool, long bytes, boolean oversize) {
    increase(SEGMENT, kind(pool), 1);
    if (oversize) {
      increase(OVERSIZE_SEGMENTS, SMALL, 1);
    }
    memoryReserved(pool, bytes);
  }

  void segmentReleased(Pool pool, long bytes, boolean oversize) {
    decrease(SEGMENT, kind(pool), 1);
    if (oversize) {
      decrease(OVERSIZE_SEGMENTS, SMALL, 1);
    }
    memoryReturned(pool, bytes);
  }

  /** Memory came, in a segment or as pages. */
  void memoryReserved(Pool pool, long bytes) {
    int kind = kind(pool);
    increase(RESERVED_BYTES, kind, bytes);
    if (pool.owner() != null) {
      long[] own = reservedByPrivatePool.computeIfAbsent(pool.id(), id -> new long[ARRAY]);
      increase(own, 0, kind, bytes);
    }
    deviceAllocs++;
  }

  void memoryReturned(Pool pool, long bytes) {
    int kind = kind(pool);
    decrease(RESERVED_BYTES, kind, bytes);
    if (pool.owner() != null) {
      long[] own = reservedByPrivatePool.computeIfAbsent(pool.id(), id -> new long[ARRAY]);
      decrease(own, kind, bytes);
    }
    deviceFrees++;
  }

  // An incident --------------------------------------------------------------------------------

  void countAllocRetry() {
    allocRetries++;
  }

  void countOutOfMemory() {
    outOfMemory++;
  }

  void countSyncAllStreams() {
    syncAllStreams++;
  }

  void countRejection() {
    rejections++;
  }

  // Reading and resetting ----------------------------------------------------------------------

  long allocatedBytes() {
    return together(cells, ALLOCATED_BYTES);
  }

  long activeBytes() {
    return together(cells, ACTIVE_BYTES);
  }

  long requestedBytes() {
    return together(cells, REQUESTED_BYTES);
  }

  long reservedBytes() {
    return together(cells, RESERVED_BYTES);
  }

  long peakAllocatedBytes() {
    return cells[ALLOCATED_BYTES + TOGETHER + PEAK];
  }

  long peakReservedBytes() {
    return cells[RESERVED_BYTES + TOGETHER + PEAK];
  }

  long allocatedCount() {
    return together(cells, ALLOCATION);
  }

  /** Since sums were last set back. */
  long allocationCount() {
    return all(cells, ALLOCATION).allocated();
  }

  long outOfMemoryCount() {
    return outOfMemory;
  }

  void resetPeaks() {
    resetPeaks(cells);
    reservedByPrivatePool.values().forEach(Statistics::resetPeaks);
  }

  void resetAccumulated() {
    resetAccumulated(cells);
    reservedByPrivatePool.values().forEach(Statistics::resetAccumulated);
    allocRetries = 0;
    outOfMemory = 0;
    syncAllStreams = 0;
    deviceAllocs = 0;
    deviceFrees = 0;
    rejections = 0;
  }

  StatisticsView view() {
    Map<Statistic, StatArray> figures = new EnumMap<>(Statistic.class);
    for (Statistic statistic : Statistic.values()) {
      figures.put(statistic, array(cells, statistic.ordinal() * ARRAY));
    }
    Map<PoolId, StatArray> byPool = new LinkedHashMap<>();
    reservedByPrivatePool.forEach((id, own) -> byPool.put(id, array(own, 0)));
    return new StatisticsView(
        figures,
        stat(cells, OVERSIZE_ALLOCATIONS),
        stat(cells, OVERSIZE_SEGMENTS),
        allocRetries,
        outOfMemory,
        syncAllStreams,
        deviceAllocs,
        deviceFrees,
        rejections,
        maxSplitBytes,
        byPool);
  }

  private static int kind(Pool pool) {
    return pool.isSmall() ? SMALL : LARGE;
  }

  private void increase(int array, int kind, long amount) {
    increase(cells, array, kind, amount);
  }

  private void decrease(int array, int kind, long amount) {
    decrease(cells, array + kind, amount);
  }

  private static void increase(long[] cells, int array, int kind, long amount) {
    long current = cells[array + kind] + amount;
    cells[array + kind] = current;
    if (current > cells[array + kind + PEAK]) {
      cells[array + kind + PEAK] = current;
    }
    long together = current + cells[array + (kind ^ LARGE)];
    if (together > cells[array + TOGETHER + PEAK]) {
      cells[array + TOGETHER + PEAK] = together;
    }
  }

  private static void decrease(long[] cells, int stat, long amount) {
    cells[stat] -= amount;
    cells[stat + FREED] += amount;
  }

  private static long together(long[] cells, int array) {
    return cells[array + SMALL] + cells[array + LARGE];
  }

  private static void resetPeaks(long[] cells) {
    for (int array = 0; array + ARRAY <= cells.length; array += ARRAY) {
      cells[array + SMALL + PEAK] = cells[array + SMALL];
      cells[array + LARGE + PEAK] = cells[array + LARGE];
      cells[array + TOGETHER + PEAK] = together(cells, array);
    }
  }

  private static void resetAccumulated(long[] cells) {
    for (int stat = 0; stat < cells.length; stat += STAT) {
      cells[stat + BASE] = cells[stat];
      cells[stat + FREED] = 0;
    }
  }

  private static StatArray array(long[] cells, int array) {
    return new StatArray(all(cells, array), stat(cells, array + SMALL), stat(cells, array + LARGE));
  }

  private static Stat all(long[] cells, int array) {
    Stat small = stat(cells, array + SMALL);
    Stat large = stat(cells, array + LARGE);
    return new Stat(
        small.current() + large.current(),
        cells[array + TOGETHER + PEAK],
        small.allocated() + large.allocated(),
        small.freed() + large.freed());
  }

  private static Stat stat(long[] cells, int at) {
    long current = cells[at];
    long freed = cells[at + FREED];
    return new Stat(current, cells[at + PEAK], current - cells[at + BASE] + freed, freed);
  }
}
