package dev.vramscope.allocator.caching.statistics;

import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The counters, for small and for large pools. Values of both together are added up when they are
 * read, except for peaks.
 *
 * <pre>
 *   cells, for each Statistic:
 *       small pools:  current | freed | peak | base
 *       large pools:  current | freed | peak | base
 *       both:         (unused)        | peak | (unused)
 *   then the same for oversize allocations and oversize segments, counted as small
 * </pre>
 *
 * Base is the current value when sums were last reset; allocated = current - base + freed. So an
 * increase writes one cell, and a decrease two.
 */
public final class Statistics {
  private static final int FREED = 1;
  private static final int PEAK = 2;
  private static final int BASE = 3;
  private static final int SMALL = 0;
  private static final int LARGE = 4;
  private static final int BOTH = 8;
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
   * All counters are 0.
   *
   * @param maxSplitBytes the setting when the allocator is created; later changes are not shown
   */
  public Statistics(long maxSplitBytes) {
    this.maxSplitBytes = maxSplitBytes;
  }

  // Blocks -------------------------------------------------------------------------------------

  public void blockAllocated(PoolKind size, long bytes, long requestedBytes) {
    int kind = kind(size);
    increase(ALLOCATION, kind, 1);
    increase(ALLOCATED_BYTES, kind, bytes);
    increase(ACTIVE, kind, 1);
    increase(ACTIVE_BYTES, kind, bytes);
    increase(REQUESTED_BYTES, kind, requestedBytes);
  }

  public void blockFreed(PoolKind size, long bytes) {
    int kind = kind(size);
    decrease(ALLOCATION, kind, 1);
    decrease(ALLOCATED_BYTES, kind, bytes);
  }

  public void blockInactive(PoolKind size, long bytes, long requestedBytes) {
    int kind = kind(size);
    decrease(ACTIVE, kind, 1);
    decrease(ACTIVE_BYTES, kind, bytes);
    decrease(REQUESTED_BYTES, kind, requestedBytes);
  }

  /** Adds to the inactive split blocks of plain segments; negative numbers subtract. */
  public void inactiveSplits(PoolKind size, int count, long bytes) {
    int kind = kind(size);
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

  public void oversizeAllocated() {
    increase(OVERSIZE_ALLOCATIONS, SMALL, 1);
  }

  public void oversizeFreed() {
    decrease(OVERSIZE_ALLOCATIONS, SMALL, 1);
  }

  // Segments -----------------------------------------------------------------------------------

  public void segmentAcquired(PoolId pool, PoolKind size, long bytes, boolean oversize) {
    increase(SEGMENT, kind(size), 1);
    if (oversize) {
      increase(OVERSIZE_SEGMENTS, SMALL, 1);
    }
    memoryReserved(pool, size, bytes);
  }

  public void segmentReleased(PoolId pool, PoolKind size, long bytes, boolean oversize) {
    decrease(SEGMENT, kind(size), 1);
    if (oversize) {
      decrease(OVERSIZE_SEGMENTS, SMALL, 1);
    }
    memoryReleased(pool, size, bytes);
  }

  /** Counts memory acquired from the device, as a segment or as pages. */
  public void memoryReserved(PoolId pool, PoolKind size, long bytes) {
    int kind = kind(size);
    increase(RESERVED_BYTES, kind, bytes);
    if (pool.isPrivate()) {
      long[] own = reservedByPrivatePool.computeIfAbsent(pool, id -> new long[ARRAY]);
      increase(own, 0, kind, bytes);
    }
    deviceAllocs++;
  }

  public void memoryReleased(PoolId pool, PoolKind size, long bytes) {
    int kind = kind(size);
    decrease(RESERVED_BYTES, kind, bytes);
    if (pool.isPrivate()) {
      long[] own = reservedByPrivatePool.computeIfAbsent(pool, id -> new long[ARRAY]);
      decrease(own, kind, bytes);
    }
    deviceFrees++;
  }

  // Failures and retries -----------------------------------------------------------------------

  public void countAllocRetry() {
    allocRetries++;
  }

  public void countOutOfMemory() {
    outOfMemory++;
  }

  public void countSyncAllStreams() {
    syncAllStreams++;
  }

  public void countRejection() {
    rejections++;
  }

  // Reading and resetting ----------------------------------------------------------------------

  public long allocatedBytes() {
    return sumOfBoth(cells, ALLOCATED_BYTES);
  }

  public long activeBytes() {
    return sumOfBoth(cells, ACTIVE_BYTES);
  }

  public long requestedBytes() {
    return sumOfBoth(cells, REQUESTED_BYTES);
  }

  public long reservedBytes() {
    return sumOfBoth(cells, RESERVED_BYTES);
  }

  public long allocatedCount() {
    return sumOfBoth(cells, ALLOCATION);
  }

  public AllocatorTotals totals() {
    return new AllocatorTotals(
        requestedBytes(),
        allocatedBytes(),
        activeBytes(),
        reservedBytes(),
        cells[ALLOCATED_BYTES + BOTH + PEAK],
        cells[RESERVED_BYTES + BOTH + PEAK],
        allocatedCount(),
        all(cells, ALLOCATION).allocated(),
        outOfMemory);
  }

  public void resetPeaks() {
    resetPeaks(cells);
    reservedByPrivatePool.values().forEach(Statistics::resetPeaks);
  }

  public void resetAccumulated() {
    resetAccumulated(cells);
    reservedByPrivatePool.values().forEach(Statistics::resetAccumulated);
    allocRetries = 0;
    outOfMemory = 0;
    syncAllStreams = 0;
    deviceAllocs = 0;
    deviceFrees = 0;
    rejections = 0;
  }

  public StatisticsView view() {
    Map<Statistic, StatArray> values = new EnumMap<>(Statistic.class);
    for (Statistic statistic : Statistic.values()) {
      values.put(statistic, array(cells, statistic.ordinal() * ARRAY));
    }
    Map<PoolId, StatArray> byPool = new LinkedHashMap<>();
    reservedByPrivatePool.forEach((id, own) -> byPool.put(id, array(own, 0)));
    return new StatisticsView(
        values,
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

  private static int kind(PoolKind size) {
    return size == PoolKind.SMALL ? SMALL : LARGE;
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
    long both = current + cells[array + (kind ^ LARGE)];
    if (both > cells[array + BOTH + PEAK]) {
      cells[array + BOTH + PEAK] = both;
    }
  }

  private static void decrease(long[] cells, int stat, long amount) {
    cells[stat] -= amount;
    cells[stat + FREED] += amount;
  }

  private static long sumOfBoth(long[] cells, int array) {
    return cells[array + SMALL] + cells[array + LARGE];
  }

  private static void resetPeaks(long[] cells) {
    for (int array = 0; array + ARRAY <= cells.length; array += ARRAY) {
      cells[array + SMALL + PEAK] = cells[array + SMALL];
      cells[array + LARGE + PEAK] = cells[array + LARGE];
      cells[array + BOTH + PEAK] = sumOfBoth(cells, array);
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
        cells[array + BOTH + PEAK],
        small.allocated() + large.allocated(),
        small.freed() + large.freed());
  }

  private static Stat stat(long[] cells, int at) {
    long current = cells[at];
    long freed = cells[at + FREED];
    return new Stat(current, cells[at + PEAK], current - cells[at + BASE] + freed, freed);
  }
}
